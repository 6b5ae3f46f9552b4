// Rays against triangle meshes: only the triangles in boxes that the ray comes near are asked.
//
// The boxes never decide a hit. A box is left out if the line passes it by a distance that no rounding bridges, or if
// the values of s of everything in it are out of reach: a hit's s is a mean of its corners' (ray_surface.h),
// so it lies between the box's ends along the axis that the view measures s by. So the hit is the one that
// asking every triangle would give, bit for bit: the smallest s, and of equal ones the first triangle.
#include "geometry/ray_surface.h"

namespace cairn {
namespace {

struct Reach {
  double from, to;  // [m] of s
};

class Search {
 public:
  Search(const TriangleMesh& mesh, const Line3& line, double slack)
      : mesh_(mesh), line_(line), view_(line), slack_(slack), origin_(mesh.tree.origin()) {}

  void run() {
    const auto nodes = mesh_.tree.nodes();
    struct Waiting {
      std::uint32_t node;
      double from;
    } stack[StaticTree::k_deepest];
    int size = 0;
    std::uint32_t k = 0;
    for (bool here = reach_of(nodes[0]).from <= line_.end + slack_;;) {
      if (here && nodes[k].count == 0) {
        std::uint32_t near = k + 1, far = nodes[k].second;
        Reach first = reach_of(nodes[near]), second = reach_of(nodes[far]);
        if (second.from < first.from) {
          std::swap(near, far);
          std::swap(first, second);
        }
        if (is_open(second.from)) stack[size++] = {far, second.from};
        here = is_open(first.from);
        k = near;
        continue;
      }
      if (here)
        for (std::uint32_t i = 0; i < nodes[k].count; ++i) ask(mesh_.tree.items()[nodes[k].second + i]);
      here = false;
      while (size > 0 && !here) {
        --size;
        here = is_open(stack[size].from);
        k = stack[size].node;
      }
      if (!here) return;
    }
  }

  bool has_hit() const { return first_s_ < k_infinity; }
  RayHit3 hit() const {
    const auto [i, j, k] = mesh_.triangles[first_];
    const Vec3 &a = mesh_.vertices[i], &b = mesh_.vertices[j], &c = mesh_.vertices[k];
    return hit_surface(line_, first_s_, cross(b - a, c - a));
  }

 private:
  bool is_open(double from) const { return from <= smaller(first_s_, line_.end) + slack_; }

  // Between which values of s the corners inside the box lie; from infinity if the line misses the box.
  Reach reach_of(const StaticTree::Node& node) const {
    const Vec3 lo{node.lo[0], node.lo[1], node.lo[2]}, hi{node.hi[0], node.hi[1], node.hi[2]};
    const Vec3 half = 0.5 * (hi - lo), middle = origin_ + (lo + half);
    const auto [enter, exit] = chord_in_box(line_, middle, half + Vec3{slack_, slack_, slack_});
    if (!(enter <= exit)) return {k_infinity, k_infinity};
    const auto [from, to] = view_.span_of(middle, half);
    if (to < line_.begin - slack_) return {k_infinity, k_infinity};
    return {from, to};
  }

  void ask(std::uint32_t index) {
    const Triangle& t = mesh_.triangles[index];
    const auto s = view_.meet(view_.look(mesh_.vertices[t[0]]), view_.look(mesh_.vertices[t[1]]),
                              view_.look(mesh_.vertices[t[2]]));
    if (!s || *s > first_s_ || (*s == first_s_ && index > first_)) return;
    first_s_ = *s;
    first_ = index;
  }

  const TriangleMesh& mesh_;
  const Line3& line_;
  View view_;
  double slack_;  // [m]
  Vec3 origin_;
  double first_s_ = k_infinity;
  std::uint32_t first_ = 0;
};

}  // namespace

std::optional<RayHit3> cast_surface(const TriangleMesh& mesh, const Ray3& ray) {
  const Vec3 half = 0.5 * (mesh.box.hi - mesh.box.lo), middle = mesh.box.lo + half;
  const Line3 line = line_of(ray, middle);
  const double slack = k_box_slack * (largest_component(half) + largest_component(line.origin - middle));
  const auto [enter, exit] = chord_in_box(line, middle, half + Vec3{slack, slack, slack});
  if (!(enter <= exit) || exit < line.begin - slack || enter > line.end + slack) return std::nullopt;
  Search search(mesh, line, slack);
  search.run();
  if (!search.has_hit()) return std::nullopt;
  return search.hit();
}

}  // namespace cairn
