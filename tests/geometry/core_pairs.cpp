#include "geometry/core_pairs.h"

namespace cairn::samples {
namespace {

struct Generators {
  ConvexThing& thing;

  void operator()(const Sphere& s) const {
    thing.name = "point";
    thing.points = {{}};
    thing.radius = s.radius;
  }
  void operator()(const Capsule3& c) const {
    thing.name = "segment";
    thing.points = {{0, 0, c.half_length}, {0, 0, -c.half_length}};
    thing.radius = c.radius;
  }
  void operator()(const Box3& b) const {
    thing.name = "box";
    for (const Vec3& v : box_mesh(b.half).vertices) thing.points.push_back(v);
  }
  void operator()(const Cylinder& c) const {
    thing.name = "cylinder";
    thing.discs = {{c.half_height, c.radius}, {-c.half_height, c.radius}};
  }
  void operator()(const Cone& c) const {
    thing.name = "cone";
    thing.discs = {{-c.half_height, c.radius}};
    thing.points = {{0, 0, c.half_height}};
  }
  void operator()(const Hull& h) const {
    thing.name = "hull";
    thing.points = h.points;
  }
  template <class S>
  void operator()(const S&) const {}
};

}  // namespace

std::unique_ptr<ConvexThing> thing_of(const Shape3& shape) {
  auto thing = std::make_unique<ConvexThing>();
  thing->shape = shape;
  thing->built = build(shape);
  thing->piece = pieces_of(thing->built)[0].piece;
  thing->core = core_of(thing->piece);
  std::visit(Generators{*thing}, shape);
  const Bounds3 box = bounds(shape, {});
  thing->size = 0.5 * length(box.hi - box.lo);
  return thing;
}

std::unique_ptr<ConvexThing> random_thing(Random& random, ThingKind kind, double size, double thinnest,
                                          double far) {
  const auto some = [&] {
    const double share = uniform(random, 0.2, 1);
    return size * share * (uniform(random, 0, 1) < 0.3 ? thinnest : 1);
  };
  const Vec3 shift = far * vector3(random, 1), extent{some(), some(), some()};
  std::unique_ptr<ConvexThing> thing;
  Hull hull{{}, 0};
  switch (kind) {
    case ThingKind::point:
      thing = thing_of(Sphere{some()});
      break;
    case ThingKind::segment:
      thing = thing_of(Capsule3{some(), some()});
      break;
    case ThingKind::box:
      thing = thing_of(Box3{extent});
      break;
    case ThingKind::cylinder:
      thing = thing_of(Cylinder{some(), some()});
      break;
    case ThingKind::cone:
      thing = thing_of(Cone{some(), some()});
      break;
    case ThingKind::large_hull:
      for (const Vec3& v : ico_sphere(1).vertices) hull.points.push_back(shift + scaled(extent, v));
      thing = thing_of(hull);
      break;
    case ThingKind::hull: {
      const int corners = int(uniform(random, 4, 16));
      for (int i = 0; i < corners; ++i) hull.points.push_back(shift + scaled(extent, unit3(random)));
      thing = thing_of(hull);
      break;
    }
    case ThingKind::triangle:
      thing = std::make_unique<ConvexThing>();
      thing->name = "triangle";
      for (Vec3& v : thing->triangle) v = shift + scaled(extent, vector3(random, 1));
      thing->core = core_of_triangle(&thing->triangle);
      thing->points.assign(thing->triangle.begin(), thing->triangle.end());
      break;
  }
  thing->size = size;
  return thing;
}

Rot3 random_turn(Random& random) {
  const Rot3 quarters[] = {{},
                           Rot3::from_axis_angle({1, 0, 0}, k_pi / 2),
                           Rot3::from_axis_angle({0, 1, 0}, k_pi / 2),
                           Rot3::from_axis_angle({0, 0, 1}, k_pi / 2),
                           Rot3::from_axis_angle({0, 0, 1}, k_pi / 4),
                           Rot3::from_axis_angle({1, 1, 1}, k_pi / 3)};
  if (uniform(random, 0, 1) < 0.5) return rotation3(random);
  const Rot3 turn = quarters[int(uniform(random, 0, 6))];
  if (uniform(random, 0, 1) < 0.7) return turn;
  const double angle = power_of_ten(random, -12, -3);
  return normalized(turn * rotation_of(angle * unit3(random)));
}

Vec3 random_direction(Random& random) {
  const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 0, -1}, {0, 0.6, 0.8}};
  const double kind = uniform(random, 0, 1);
  if (kind < 0.5) return unit3(random);
  const Vec3 axis = axes[int(uniform(random, 0, 6))];
  return kind < 0.8 ? axis : normalized(axis + vector3(random, 0.3));
}

}  // namespace cairn::samples
