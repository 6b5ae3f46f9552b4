#include "base/assert.h"
#include "geometry/swept_surface.h"
#include "geometry/triangles.h"

namespace cairn {
namespace {

template <class Surface>
class Triangles {
 public:
  explicit Triangles(const Surface& surface) : surface_(surface) {}

  std::size_t find(const Bounds3& box) {
    triangles_in(surface_, box, found_);
    return found_.size();
  }
  Core3 core(std::size_t k) const { return core_of_triangle(&found_[k].corners); }

 private:
  const Surface& surface_;
  std::vector<PlacedTriangle> found_;
};

// A plane as its point at the foot of the perpendicular from the origin, and a direction.
Impact<Dim3> impact_on(const Plane& plane, const MovingCore<Dim3>& moving, const Pose3& pose,
                       const Sweep<Dim3>& sweep, double target) {
  Sweep<Dim3> still = sweep;
  still.turn = {};
  const MovingCore<Dim3> point({.middle = plane.offset * plane.normal}, pose, still);
  Advancement<Dim3> advancement(moving, point, target);
  advancement.set_plane(sweep.rotation * (pose.rotation * plane.normal));
  return advancement.run(0, 1);
}

}  // namespace

Impact<Dim3> time_of_impact(const Piece3& a, const Pose3& a_in_body, const Sweep<Dim3>& sweep_a,
                            const Piece3& b, const Pose3& b_in_body, const Sweep<Dim3>& sweep_b,
                            double target, const ImpactJudge<Dim3>& counts) {
  if (!is_convex(a)) {
    CAIRN_ASSERT(is_convex(b));
    return swapped(time_of_impact(b, b_in_body, sweep_b, a, a_in_body, sweep_a, target,
                                  swapped(counts, sweep_a, sweep_b)),
                   sweep_a, sweep_b);
  }
  const MovingCore<Dim3> moving(core_of(a), a_in_body, sweep_a);
  if (is_convex(b))
    return judged(Advancement<Dim3>(moving, {core_of(b), b_in_body, sweep_b}, target).run(0, 1), counts);
  const auto on_triangles = [&](const auto& surface) {
    Triangles triangles(surface);
    return SweptSurface<Dim3, decltype(triangles)>(a, moving, b_in_body, sweep_b, target, triangles, counts)
        .run();
  };
  if (const auto* plane = std::get_if<const Plane*>(&b))
    return judged(impact_on(**plane, moving, b_in_body, sweep_b, target), counts);
  if (const auto* mesh = std::get_if<const TriangleMesh*>(&b)) return on_triangles(**mesh);
  return on_triangles(*std::get<const HeightGrid*>(b));
}

}  // namespace cairn
