#include "geometry/hull_fit.h"

#include "geometry/direction.h"
#include "geometry/gjk.h"

namespace cairn {
namespace {

constexpr double k_half_diagonal = 1.7320508075688773;  // of a cube of half-edge 1
constexpr double k_finest = 0.125;  // half-diagonal of the smallest cubes, of the tolerance

}  // namespace

struct HullFit::Query {
  Core3 core;
  const Polyhedron& hull;
  double finest = 0;                    // [m] the half-diagonal at which cubes are not divided any more …
  bool is_last = false;                 // … and then count as standing off
  std::vector<std::uint32_t> planes{};  // a stack: those that cut the cubes from the first to this one
};

HullFit::HullFit(const TriangleMesh& mesh, double tolerance)
    : mesh_(mesh),
      tolerance_(tolerance),
      middle_(mesh.box.lo + 0.5 * (mesh.box.hi - mesh.box.lo)),
      half_(0.5 * largest_component(mesh.box.hi - mesh.box.lo) + tolerance),
      cubes_(1) {}

bool HullFit::is_within(const Polyhedron& hull) {
  for (const Vec3& v : hull.vertices)
    if (largest_component(v - middle_) > half_) return false;  // that far from the mesh's box
  Query query{.core = core_of(Piece3{&hull}), .hull = hull};
  for (std::uint32_t f = 0; f < hull.face_count(); ++f) query.planes.push_back(f);
  // Coarse cubes first: a hull that stands off much is found out before the rest is looked at closely.
  for (query.finest = half_; query.finest > k_finest * tolerance_; query.finest *= 0.25)
    if (!is_within(query, 0, middle_, half_, 0)) return false;
  query.is_last = true;
  query.finest = k_finest * tolerance_;
  return is_within(query, 0, middle_, half_, 0);
}

double HullFit::distance_of(std::uint32_t cube, const Vec3& middle) {
  if (cubes_[cube].distance < 0) cubes_[cube].distance = mesh_.to_surface(middle);
  return cubes_[cube].distance;
}
bool HullFit::is_inside(std::uint32_t cube, const Vec3& middle) {
  if (cubes_[cube].inside < 0) cubes_[cube].inside = mesh_.is_inside(middle);
  return cubes_[cube].inside > 0;
}

// The planes from number `first` of the stack on are those that cut the cube around this one.
bool HullFit::is_within(Query& query, std::uint32_t cube, const Vec3& middle, double half,
                        std::size_t first) {
  const double radius = k_half_diagonal * half;
  const std::size_t last = query.planes.size();
  bool in_hull = true;
  for (std::size_t k = first; k < last; ++k) {
    const FacePlane& plane = query.hull.planes[query.planes[k]];
    const double height = plane.distance(middle);
    const double reach =
        half * (absolute(plane.normal.x) + absolute(plane.normal.y) + absolute(plane.normal.z));
    if (height > reach) {  // the hull is elsewhere
      query.planes.resize(last);
      return true;
    }
    if (height > -reach) query.planes.push_back(query.planes[k]);
    in_hull = in_hull && height <= 0;
  }
  const auto answer = [&](bool within) {
    query.planes.resize(last);
    return within;
  };
  const double from_surface = distance_of(cube, middle);
  if (from_surface + radius <= tolerance_) return answer(true);
  const bool inside = is_inside(cube, middle);
  if (inside && radius <= tolerance_ + from_surface) return answer(true);
  if (in_hull) {
    if (!inside && from_surface > tolerance_) return answer(false);
  } else {
    const Core3 point{.kind = CoreKind::point, .middle = middle};
    const Nearest<Dim3> way = nearest(query.core, point, {}, {});
    if (way.distance > radius) return answer(true);
    const double off = mesh_.to_surface(way.on_a);
    if (off + radius <= tolerance_) return answer(true);
    if (off > tolerance_ && !mesh_.is_inside(way.on_a)) return answer(false);
  }
  if (radius <= query.finest) return answer(!query.is_last);
  if (cubes_[cube].children == 0) {
    cubes_[cube].children = std::uint32_t(cubes_.size());
    cubes_.resize(cubes_.size() + 8);
  }
  const double quarter = 0.5 * half;
  for (std::uint32_t k = 0; k < 8; ++k) {
    const Vec3 child{middle.x + (k & 1 ? quarter : -quarter), middle.y + (k & 2 ? quarter : -quarter),
                     middle.z + (k & 4 ? quarter : -quarter)};
    if (!is_within(query, cubes_[cube].children + k, child, quarter, last)) return answer(false);
  }
  return answer(true);
}

}  // namespace cairn
