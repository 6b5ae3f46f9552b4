#include "tour.h"

#include <cairn/cairn.h>

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <map>

#include "progress.h"

namespace cairn {
namespace {

constexpr double k_phi = 1.618033988749895;

const std::map<std::string, Integrator>& integrators() {
  static const std::map<std::string, Integrator> all{{"semi_implicit_euler", SemiImplicitEuler{}},
                                                     {"explicit_euler", ExplicitEuler{}},
                                                     {"implicit_euler", ImplicitEuler{}},
                                                     {"velocity_verlet", VelocityVerlet{}},
                                                     {"newmark", Newmark{}},
                                                     {"runge_kutta_4", RungeKutta4{}},
                                                     {"conserving", Conserving{}}};
  return all;
}

Hull dodecahedron(double scale) {
  Hull hull;
  for (int i = 0; i < 8; ++i)
    hull.points.push_back({i & 1 ? scale : -scale, i & 2 ? scale : -scale, i & 4 ? scale : -scale});
  for (double s : {-scale, scale})
    for (double t : {-scale, scale}) {
      const double a = s / k_phi, b = t * k_phi;
      hull.points.insert(hull.points.end(), {{0, a, b}, {a, b, 0}, {b, 0, a}});
    }
  return hull;
}

// A T of two bars spun about its intermediate axis in weightlessness flips over and over; the others fall, through a
// beam of light 2 m below, which is a sensor.
World3 make_world(const TourOptions& options) {
  World3 world({.method = {.integrator = integrators().at(options.integrator)},
                .threads = options.threads,
                .accounting = Accounting::full});
  world.create({.name = "T-handle",
                .position = {0, 0, 2},
                .angular_velocity = {0.01, 0.01, 6},
                .shapes = {Box3{.half = {0.3, 0.04, 0.04}},
                           {Cylinder{.radius = 0.04, .half_height = 0.1}, {.position = {0, 0, 0.14}}}},
                .gravity_scale = 0});
  const auto drop = [&](const char* name, double x, Shape3 shape, Vec3 spin) {
    world.create(
        {.name = name, .position = {x, 0, 3}, .angular_velocity = spin, .shapes = {std::move(shape)}});
  };
  drop("box", 1, Box3{.half = {0.1, 0.2, 0.3}}, {1, 3, 0.5});
  drop("cylinder", 2, Cylinder{.radius = 0.2, .half_height = 0.3}, {0.2, 0.1, 8});
  drop("cone", 3, Cone{.radius = 0.2, .half_height = 0.3}, {2, 0, 5});
  drop("capsule", 4, Capsule3{.radius = 0.1, .half_length = 0.3}, {0, 4, 1});
  drop("dodecahedron", 5, dodecahedron(0.2), {3, 2, 1});
  world.create({.name = "beam",
                .motion = Motion::fixed,
                .position = {3, 0, 1},
                .shapes = {{Box3{.half = {4, 1, 0.001}}, {.sensor = true}}}});
  return world;
}

struct Start {
  Vec3 momentum;  // angular, about the centre of mass
  double energy;  // of rotation
  double height;
};
Start rotation_of_body(const World3& world, BodyId body) {
  const Rot3 r = world.pose(body).rotation;
  const Vec3 w = world.velocity(body).angular;
  const Vec3 momentum = rotated(r, world.mass(body).inertia) * w;
  return {momentum, 0.5 * dot(w, momentum), world.center(body).z};
}

struct Totals {
  double discretisation = 0, unexplained = 0, worst = 0, momentum_error = 0;
  std::int64_t steps = 0;
  double seconds = 0;
  StepStatus status = StepStatus::good;
  std::string message;
  std::map<BodyId, double> reached_beam;  // [s] when
};

Totals simulate(World3& world, const TourOptions& options) {
  Totals sum;
  Progress progress(options.time, options.quiet);
  const std::int64_t steps = std::int64_t(std::ceil(options.time / options.h - 1e-9));
  for (; sum.steps < steps; ++sum.steps) {
    const Momentum<Dim3> before = world.momentum();
    const StepReport3& step = world.step(options.h);
    if (step.status != StepStatus::good) {
      sum.status = step.status;
      sum.message = step.message;
      if (step.status != StepStatus::not_converged) break;
    }
    for (const ContactEvent3& event : world.events())
      if (event.kind == EventKind::sensor_begin) sum.reached_beam.emplace(event.a.body, event.time);
    const Energy& e = step.energy;
    sum.discretisation += e.discretisation;
    sum.unexplained += std::abs(e.unexplained);
    sum.worst =
        std::max(sum.worst, std::abs(e.unexplained) / std::max({e.kinetic, std::abs(e.gravity), 1e-300}));
    const Vec3 error = step.momentum.linear - before.linear - step.momentum.linear_impulse;
    sum.momentum_error =
        std::max(sum.momentum_error, length(error) / std::max(length(step.momentum.linear), 1e-300));
    progress.update(step.time, [&] {
      char note[64];
      std::snprintf(note, sizeof note, "unexplained energy %.1e", sum.worst);
      return std::string(note);
    });
  }
  sum.seconds = progress.seconds();
  return sum;
}

}  // namespace

std::vector<std::string> tour_integrators() {
  std::vector<std::string> names;
  for (const auto& [name, integrator] : integrators()) names.push_back(name);
  return names;
}

int run_tour(const TourOptions& options) {
  constexpr int k_good = 0, k_diverged = 4, k_inaccurate = 5;
  World3 world = make_world(options);
  std::vector<Start> start;
  std::vector<BodyId> bodies = world.bodies();
  bodies.pop_back();  // the beam
  for (BodyId body : bodies) start.push_back(rotation_of_body(world, body));
  const double energy = world.energy().total();
  const Totals sum = simulate(world, options);
  const double t = world.time();

  std::printf("Cairn %s: one tumbling body and five falling shapes, %g s in %" PRId64
              " steps of %g s, %s\n\n",
              CAIRN_VERSION, t, sum.steps, options.h, options.integrator.c_str());
  std::printf(
      "                           principal inertia               spin energy  ang. momentum  fall       "
      "beam\n");
  std::printf(
      "body            mass [kg]  [kg·m²]                         error        error          error [m]  at "
      "[s]\n");
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const MassProperties3 mass = world.mass(bodies[i]);
    const Vec3 inertia = principal(mass.inertia).values;
    const Start end = rotation_of_body(world, bodies[i]);
    const double fall = i == 0 ? 0 : 0.5 * 9.81 * t * t;
    const auto reached = sum.reached_beam.find(bodies[i]);
    char when[32] = "-";
    if (reached != sum.reached_beam.end()) std::snprintf(when, sizeof when, "%.3f", reached->second);
    std::printf("%-14s %10.3f  %-9.4f %-9.4f %-9.4f   %-12.1e %-14.1e %-10.6f %s\n",
                world.name(bodies[i]).c_str(), mass.mass, inertia.x, inertia.y, inertia.z,
                end.energy / start[i].energy - 1,
                length(end.momentum - start[i].momentum) / length(start[i].momentum),
                start[i].height - end.height - fall, when);
  }
  std::printf("\nenergy          %.9g J at the start, %.9g J now\n", energy, world.energy().total());
  std::printf("  explained     %+.6g J by the finite step of the integrator\n", sum.discretisation);
  std::printf("  unexplained   %.1e of the largest energy, in the worst step\n", sum.worst);
  std::printf("momentum        off by %.1e of itself, in the worst step\n", sum.momentum_error);
  std::printf("state hash      %016" PRIx64 "\n", world.state_hash());
  std::printf("time            %.3f s, %.2f µs a step, %.0f× real time\n", sum.seconds,
              1e6 * sum.seconds / double(sum.steps), t / sum.seconds);
  if (sum.status != StepStatus::good) {
    std::fprintf(stderr, "cairn: %s: %s\n", std::string(name_of(sum.status)).c_str(), sum.message.c_str());
    return k_diverged;
  }
  return sum.worst < 1e-9 && sum.momentum_error < 1e-9 ? k_good : k_inaccurate;
}

}  // namespace cairn
