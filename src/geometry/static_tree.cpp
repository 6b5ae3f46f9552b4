#include "geometry/static_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cairn {
namespace {

constexpr float k_float_infinity = std::numeric_limits<float>::infinity();
constexpr double k_largest_float = std::numeric_limits<float>::max();

struct Run {
  std::uint32_t begin, end;  // of items
  std::uint32_t parent;      // whose second child this is, or k_none
};
constexpr std::uint32_t k_none = ~0u;

double component(const Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

Vec3 center_of(const Bounds3& box) { return 0.5 * box.lo + 0.5 * box.hi; }

// The axis along which the centres of the boxes spread most.
int widest_axis(std::span<const Bounds3> boxes, std::span<const std::uint32_t> items) {
  Vec3 lo = center_of(boxes[items[0]]), hi = lo;
  for (const std::uint32_t i : items) {
    const Vec3 c = center_of(boxes[i]);
    lo = smaller(lo, c);
    hi = larger(hi, c);
  }
  const Vec3 spread = hi - lo;
  return spread.x >= spread.y && spread.x >= spread.z ? 0 : spread.y >= spread.z ? 1 : 2;
}

}  // namespace

float rounded_down(double x) {
  if (x > k_largest_float)
    return x == std::numeric_limits<double>::infinity() ? k_float_infinity
                                                        : std::numeric_limits<float>::max();
  if (x < -k_largest_float) return -k_float_infinity;
  const float f = float(x);
  return double(f) > x ? std::nextafter(f, -k_float_infinity) : f;
}
float rounded_up(double x) { return -rounded_down(-x); }

StaticTree::StaticTree(std::span<const Bounds3> boxes) {
  const auto n = std::uint32_t(boxes.size());
  if (n == 0) return;
  Bounds3 all = boxes[0];
  for (const Bounds3& b : boxes) all = {smaller(all.lo, b.lo), larger(all.hi, b.hi)};
  origin_ = center_of(all);
  items_.resize(n);
  std::iota(items_.begin(), items_.end(), 0u);
  nodes_.reserve(n);

  std::vector<Run> todo{{0, n, k_none}};
  while (!todo.empty()) {
    const Run run = todo.back();
    todo.pop_back();
    const auto self = std::uint32_t(nodes_.size());
    if (run.parent != k_none) nodes_[run.parent].second = self;
    const std::span<std::uint32_t> items(items_.data() + run.begin, run.end - run.begin);
    Bounds3 around = boxes[items[0]];
    for (const std::uint32_t i : items)
      around = {smaller(around.lo, boxes[i].lo), larger(around.hi, boxes[i].hi)};
    const Vec3 lo = around.lo - origin_, hi = around.hi - origin_;
    nodes_.push_back({{rounded_down(lo.x), rounded_down(lo.y), rounded_down(lo.z)},
                      {rounded_up(hi.x), rounded_up(hi.y), rounded_up(hi.z)},
                      run.begin,
                      0});
    if (items.size() <= k_leaf_items) {
      std::sort(items.begin(), items.end());  // no two are equal
      nodes_[self].count = std::uint32_t(items.size());
      continue;
    }
    const int axis = widest_axis(boxes, items);
    const std::uint32_t middle = run.begin + std::uint32_t(items.size() / 2);
    std::nth_element(items_.begin() + run.begin, items_.begin() + middle, items_.begin() + run.end,
                     [&](std::uint32_t a, std::uint32_t b) {
                       const double p = component(center_of(boxes[a]), axis),
                                    q = component(center_of(boxes[b]), axis);
                       return p != q ? p < q : a < b;
                     });
    // The first half is taken next, so that it stands right behind its parent.
    todo.push_back({middle, run.end, self});
    todo.push_back({run.begin, middle, k_none});
  }
}

}  // namespace cairn
