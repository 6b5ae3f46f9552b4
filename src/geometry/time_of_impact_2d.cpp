#include "base/assert.h"
#include "geometry/chain_segments.h"
#include "geometry/swept_surface.h"

namespace cairn {
namespace {

class Segments {
 public:
  explicit Segments(const Chain& chain) : chain_(chain) {}

  std::size_t find(const Bounds2& box) {
    found_.clear();
    for_each_segment_in(chain_, box, [&](std::size_t, const Segment& s) { found_.push_back(s); });
    return found_.size();
  }
  Core2 core(std::size_t k) const { return core_of_segment(found_[k].a, found_[k].b); }

 private:
  const Chain& chain_;
  std::vector<Segment> found_;
};

}  // namespace

Impact<Dim2> time_of_impact(const Piece2& a, const Pose2& a_in_body, const Sweep<Dim2>& sweep_a,
                            const Piece2& b, const Pose2& b_in_body, const Sweep<Dim2>& sweep_b,
                            double target, const ImpactJudge<Dim2>& counts) {
  if (!is_convex(a)) {
    CAIRN_ASSERT(is_convex(b));
    return swapped(time_of_impact(b, b_in_body, sweep_b, a, a_in_body, sweep_a, target,
                                  swapped(counts, sweep_a, sweep_b)),
                   sweep_a, sweep_b);
  }
  const MovingCore<Dim2> moving(core_of(a), a_in_body, sweep_a);
  if (is_convex(b))
    return judged(Advancement<Dim2>(moving, {core_of(b), b_in_body, sweep_b}, target).run(0, 1), counts);
  Segments segments(*std::get<const PolyLine*>(b));
  return SweptSurface<Dim2, Segments>(a, moving, b_in_body, sweep_b, target, segments, counts).run();
}

}  // namespace cairn
