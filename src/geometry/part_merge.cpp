#include "geometry/part_merge.h"

#include <limits>

#include "geometry/hull_3d.h"

namespace cairn {
namespace {

constexpr double k_no_volume = 1e-9;  // a hull that adds no more than this part of itself fills nothing

struct Pair {
  std::size_t a, b;
  Polyhedron hull;
  double added;  // [m³] volume over both
};

Bounds3 box_of(const Polyhedron& hull) {
  Bounds3 box{hull.vertices[0], hull.vertices[0]};
  for (const Vec3& v : hull.vertices) box = {smaller(box.lo, v), larger(box.hi, v)};
  return box;
}
bool meet(const Bounds3& a, const Bounds3& b, double slack) {
  const Vec3 gap = larger(a.lo - b.hi, b.lo - a.hi);
  return gap.x <= slack && gap.y <= slack && gap.z <= slack;
}

// Does a face of `a` have all of `b` in front of it, but for this depth?
bool keeps_out(const Polyhedron& a, const Polyhedron& b, double depth) {
  for (const FacePlane& plane : a.planes) {
    double lowest = std::numeric_limits<double>::infinity();
    for (const Vec3& v : b.vertices) {
      lowest = smaller(lowest, plane.distance(v));
      if (lowest < -depth) break;
    }
    if (lowest >= -depth) return true;
  }
  return false;
}

class Merger {
 public:
  Merger(std::vector<Polyhedron>& hulls, std::vector<char>& may_merge, HullFit& fit, double overlap)
      : hulls_(hulls), may_merge_(may_merge), fit_(fit), overlap_(overlap), is_gone_(hulls.size(), 0) {
    for (const Polyhedron& hull : hulls_) boxes_.push_back(box_of(hull));
  }

  void run() {
    for (std::size_t b = 1; b < hulls_.size(); ++b) consider_with_all_before(b);
    while (!pairs_.empty()) {
      std::size_t best = 0;
      for (std::size_t k = 1; k < pairs_.size(); ++k)
        if (pairs_[k].added < pairs_[best].added) best = k;
      Pair pair = std::move(pairs_[best]);
      pairs_.erase(pairs_.begin() + std::ptrdiff_t(best));
      if (is_allowed(pair)) merge(std::move(pair));
    }
    std::size_t kept = 0;
    for (std::size_t k = 0; k < hulls_.size(); ++k) {
      if (is_gone_[k]) continue;
      if (kept != k) hulls_[kept] = std::move(hulls_[k]);
      may_merge_[kept++] = may_merge_[k];
    }
    hulls_.resize(kept);
    may_merge_.resize(kept);
  }

 private:
  void consider_with_all_before(std::size_t b) {
    if (!may_merge_[b]) return;
    for (std::size_t a = 0; a < b; ++a) {
      if (is_gone_[a] || !may_merge_[a] || !meet(boxes_[a], boxes_[b], overlap_)) continue;
      std::vector<Vec3> corners = hulls_[a].exact.vertices;
      corners.insert(corners.end(), hulls_[b].exact.vertices.begin(), hulls_[b].exact.vertices.end());
      Pair pair{a, b, build_hull(corners), 0};
      pair.added = volume_of(pair.hull.exact) - volume_of(hulls_[a].exact) - volume_of(hulls_[b].exact);
      pairs_.push_back(std::move(pair));
    }
  }

  bool is_allowed(const Pair& pair) {
    const Bounds3 box = box_of(pair.hull);
    for (std::size_t k = 0; k < hulls_.size(); ++k) {
      if (is_gone_[k] || k == pair.a || k == pair.b || !meet(box, boxes_[k], 0)) continue;
      if (!keeps_out(hulls_[k], pair.hull, overlap_) && !keeps_out(pair.hull, hulls_[k], overlap_))
        return false;
    }
    return pair.added <= k_no_volume * volume_of(pair.hull.exact) || fit_.is_within(pair.hull);
  }

  void merge(Pair&& pair) {
    is_gone_[pair.a] = is_gone_[pair.b] = 1;
    std::erase_if(pairs_, [&](const Pair& p) { return is_gone_[p.a] || is_gone_[p.b]; });
    boxes_.push_back(box_of(pair.hull));
    hulls_.push_back(std::move(pair.hull));
    may_merge_.push_back(1);
    is_gone_.push_back(0);
    consider_with_all_before(hulls_.size() - 1);
  }

  std::vector<Polyhedron>& hulls_;
  std::vector<char>& may_merge_;
  HullFit& fit_;
  double overlap_;
  std::vector<char> is_gone_;
  std::vector<Bounds3> boxes_;
  std::vector<Pair> pairs_;
};

}  // namespace

double volume_of(const ExactHull& hull) {
  const Vec3 apex = hull.vertices[0];
  double sum = 0;
  for (const auto& [a, b, c] : hull.triangles)
    sum += dot(hull.vertices[a] - apex, cross(hull.vertices[b] - apex, hull.vertices[c] - apex));
  return sum / 6;
}

void merge_parts(std::vector<Polyhedron>& hulls, std::vector<char>& may_merge, HullFit& fit, double overlap) {
  Merger(hulls, may_merge, fit, overlap).run();
}

}  // namespace cairn
