#include "geometry/mesh_distance.h"

#include <algorithm>
#include <array>
#include <limits>

#include "geometry/predicates.h"

namespace cairn {
namespace {

constexpr std::uint32_t k_leaf_triangles = 4;
constexpr int k_deepest = 40;  // halving 2³² triangles takes no more levels

double distance_squared(const Bounds3& box, const Vec3& p) {
  const Vec3 d = larger(larger(box.lo - p, p - box.hi), Vec3{});
  return dot(d, d);
}

// By the regions of the corners, the edges and the inside in turn (Ericson, Real-Time Collision Detection, 2005, §5.1.5).
Vec3 nearest_on_triangle(const std::array<Vec3, 3>& t, const Vec3& p) {
  const auto& [a, b, c] = t;
  const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return a;
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return b;
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return c;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + (d1 / (d1 - d3)) * ab;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + (d2 / (d2 - d6)) * ac;
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) return b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b);
  const double sum = va + vb + vc;
  return a + (vb / sum) * ab + (vc / sum) * ac;
}

// On which side of the line from a to b, seen from above, is p? Points on it count as if p were moved by (ε, ε²), the
// same for all triangles, so that a line through an edge of the mesh meets one of the two triangles there.
int side_of(const Vec3& a, const Vec3& b, const Vec3& p) {
  const int side = orient2d({a.x, a.y}, {b.x, b.y}, {p.x, p.y});
  if (side != 0) return side;
  if (a.y != b.y) return a.y > b.y ? 1 : -1;
  return a.x < b.x ? 1 : a.x > b.x ? -1 : 0;
}

// +1 where the upward ray from p leaves through the triangle, −1 where it enters, 0 where they do not meet.
int crossing(const std::array<Vec3, 3>& t, const Vec3& p) {
  const int side = side_of(t[0], t[1], p);
  if (side == 0 || side_of(t[1], t[2], p) != side || side_of(t[2], t[0], p) != side) return 0;
  return orient3d(t[0], t[1], t[2], p) == -side ? side : 0;
}

}  // namespace

MeshDistance::MeshDistance(const TriangleMesh& mesh) : mesh_(mesh) { build(); }

std::array<Vec3, 3> MeshDistance::corners(std::uint32_t triangle) const {
  const auto& [a, b, c] = mesh_.triangles[triangle];
  return {mesh_.vertices[a], mesh_.vertices[b], mesh_.vertices[c]};
}

// Halves at the median of the centres along the longest side of their box, ties by number.
void MeshDistance::build() {
  const auto n = std::uint32_t(mesh_.triangles.size());
  std::vector<Vec3> centers;
  centers.reserve(n);
  order_.reserve(n);
  for (std::uint32_t t = 0; t < n; ++t) {
    const auto [a, b, c] = corners(t);
    centers.push_back((1.0 / 3) * (a + b + c));
    order_.push_back(t);
  }
  struct Job {
    std::uint32_t begin, end, parent;
  };
  constexpr std::uint32_t k_nobody = ~std::uint32_t(0);
  std::vector<Job> jobs{{0, n, k_nobody}};
  while (!jobs.empty()) {
    const Job job = jobs.back();
    jobs.pop_back();
    const auto self = std::uint32_t(nodes_.size());
    if (job.parent != k_nobody) nodes_[job.parent].second = self;
    Node node{{corners(order_[job.begin])[0], corners(order_[job.begin])[0]}, job.begin, job.end, 0};
    Bounds3 spread{centers[order_[job.begin]], centers[order_[job.begin]]};
    for (std::uint32_t k = job.begin; k < job.end; ++k) {
      for (const Vec3& v : corners(order_[k])) node.box = {smaller(node.box.lo, v), larger(node.box.hi, v)};
      spread = {smaller(spread.lo, centers[order_[k]]), larger(spread.hi, centers[order_[k]])};
    }
    nodes_.push_back(node);
    if (job.end - job.begin <= k_leaf_triangles) continue;
    const Vec3 size = spread.hi - spread.lo;
    const auto axis = size.x >= size.y && size.x >= size.z ? &Vec3::x
                      : size.y >= size.z                   ? &Vec3::y
                                                           : &Vec3::z;
    const std::uint32_t middle = job.begin + (job.end - job.begin) / 2;
    std::nth_element(order_.begin() + job.begin, order_.begin() + middle, order_.begin() + job.end,
                     [&](std::uint32_t a, std::uint32_t b) {
                       const double x = centers[a].*axis, y = centers[b].*axis;
                       return x != y ? x < y : a < b;
                     });
    // The last job is taken first: the first child comes right after its parent.
    jobs.push_back({middle, job.end, self});
    jobs.push_back({job.begin, middle, k_nobody});
  }
}

double MeshDistance::to_surface(const Vec3& point) const {
  struct Visit {
    std::uint32_t node;
    double distance;  // squared, of its box
  };
  std::array<Visit, 2 * k_deepest> stack;
  std::size_t size = 0;
  double best = std::numeric_limits<double>::infinity();
  stack[size++] = {0, 0};
  while (size > 0) {
    const Visit visit = stack[--size];
    if (visit.distance >= best) continue;
    const Node& node = nodes_[visit.node];
    if (node.second == 0) {
      for (std::uint32_t k = node.begin; k < node.end; ++k) {
        const Vec3 d = nearest_on_triangle(corners(order_[k]), point) - point;
        best = smaller(best, dot(d, d));
      }
      continue;
    }
    Visit near{visit.node + 1, distance_squared(nodes_[visit.node + 1].box, point)};
    Visit far{node.second, distance_squared(nodes_[node.second].box, point)};
    if (far.distance < near.distance) std::swap(near, far);
    stack[size++] = far;
    stack[size++] = near;
  }
  return square_root(best);
}

bool MeshDistance::is_inside(const Vec3& point) const {
  std::array<std::uint32_t, 2 * k_deepest> stack;
  std::size_t size = 0;
  int count = 0;
  stack[size++] = 0;
  while (size > 0) {
    const std::uint32_t self = stack[--size];
    const Node& node = nodes_[self];
    if (point.x < node.box.lo.x || point.x > node.box.hi.x || point.y < node.box.lo.y ||
        point.y > node.box.hi.y || point.z > node.box.hi.z)
      continue;
    if (node.second == 0) {
      for (std::uint32_t k = node.begin; k < node.end; ++k) count += crossing(corners(order_[k]), point);
      continue;
    }
    stack[size++] = node.second;
    stack[size++] = self + 1;
  }
  return count > 0;
}

}  // namespace cairn
