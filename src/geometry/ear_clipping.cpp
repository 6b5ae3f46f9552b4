// Ear clipping. An ear is a convex corner b whose neighbours a and c see each other: no other corner lies in the
// closed triangle a b c. It is enough to look at corners that are not convex. A simple outline always has an ear
// (Meisters 1975), also if some corners are straight. Cutting one off changes only what its neighbours are.
#include "geometry/predicates.h"
#include "geometry/simple_outline.h"

namespace cairn {
namespace {

class EarClipper {
 public:
  explicit EarClipper(std::span<const Vec2> points) : points_(points), count_(points.size()) {
    next_.resize(count_);
    previous_.resize(count_);
    is_ear_.resize(count_);
    for (std::uint32_t i = 0; i < count_; ++i) {
      next_[i] = std::uint32_t((i + 1) % count_);
      previous_[i] = std::uint32_t((i + count_ - 1) % count_);
    }
    for (std::uint32_t i = 0; i < count_; ++i)
      if (turn(i) <= 0) blunt_.push_back(i);
    for (std::uint32_t i = 0; i < count_; ++i) is_ear_[i] = has_ear(i);
  }

  std::vector<Triangle> clip() {
    std::vector<Triangle> triangles;
    std::uint32_t at = 0, missed = 0;
    while (count_ > 3 && missed <= count_) {
      if (!is_ear_[at]) {
        at = next_[at];
        ++missed;
        continue;
      }
      missed = 0;
      const std::uint32_t before = previous_[at], after = next_[at];
      triangles.push_back({before, at, after});
      remove(at);
      is_ear_[before] = has_ear(before);
      is_ear_[after] = has_ear(after);
      at = next_[after];  // not the neighbour: cutting there again would make a fan of slivers
    }
    if (count_ == 3) triangles.push_back({previous_[at], at, next_[at]});
    return triangles;
  }

 private:
  int turn(std::uint32_t i) const { return orient2d(points_[previous_[i]], points_[i], points_[next_[i]]); }

  bool has_ear(std::uint32_t i) const {
    if (turn(i) <= 0) return false;
    const Vec2 a = points_[previous_[i]], b = points_[i], c = points_[next_[i]];
    const Vec2 lo = smaller(a, smaller(b, c)), hi = larger(a, larger(b, c));
    for (const std::uint32_t k : blunt_) {
      const Vec2 p = points_[k];
      if (p.x < lo.x || p.x > hi.x || p.y < lo.y || p.y > hi.y) continue;
      if (k == i || k == previous_[i] || k == next_[i]) continue;
      if (orient2d(a, b, p) >= 0 && orient2d(b, c, p) >= 0 && orient2d(c, a, p) >= 0) return false;
    }
    return true;
  }

  void remove(std::uint32_t i) {
    next_[previous_[i]] = next_[i];
    previous_[next_[i]] = previous_[i];
    is_ear_[i] = false;
    --count_;
    for (const std::uint32_t neighbour : {previous_[i], next_[i]})  // corners only become more convex
      if (turn(neighbour) > 0) std::erase(blunt_, neighbour);
  }

  std::span<const Vec2> points_;
  std::size_t count_;  // of corners left
  std::vector<std::uint32_t> next_, previous_;
  std::vector<std::uint32_t> blunt_;  // corners that are straight or reflex
  std::vector<char> is_ear_;
};

}  // namespace

std::vector<Triangle> ear_clipping(std::span<const Vec2> outline) { return EarClipper(outline).clip(); }

}  // namespace cairn
