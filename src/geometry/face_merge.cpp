// Regions grow from the largest facet outward, over facets whose corners all lie within the distance of its
// plane. That plane supports the exact hull: it bounds all points by itself, and nothing has to be fitted.
//
//   grow  ──►  check every region  ──►  all pass: done
//    ▲                 │ some fail
//    └── their facets take a smaller distance (at last none: they stay alone)
//
// Pairwise merging, edge by edge, was the alternative and is stuck too easily: three facets around a corner
// that rounding pushed out of a face's middle make, two by two, faces that are not convex; only the three
// together are. So a region is judged when it is complete. What fails falls back towards the exact facets,
// which are valid by construction; hence every input ends in a valid polyhedron, at worst an unmerged one.
#include "geometry/face_merge.h"

#include <algorithm>

#include "geometry/predicates.h"

namespace cairn {
namespace {

constexpr int k_levels = 4;  // a facet of level k merges within distance / 16^k, of level k_levels not at all

struct Facet {
  Vec3 normal;      // unit
  Vec3 anchor;      // a corner: measured from here, distances lose no digits far from the origin
  double area = 0;  // twice the area [m²]

  double distance(const Vec3& p) const { return dot(normal, p - anchor); }  // [m]
};

// With the plane of its largest triangle: an exact facet is planar, so any would do, but for rounding.
Facet facet_of(const FacetMesh& mesh, std::span<const Vec3> points, int f) {
  Facet facet;
  const Vec3& pivot = points[mesh.origin[mesh.begin[f]]];
  double largest = -1;
  int best = 0;
  for (int h = mesh.begin[f] + 1; h + 1 < mesh.begin[f + 1]; ++h) {
    const double area = length(cross(points[mesh.origin[h]] - pivot, points[mesh.origin[h + 1]] - pivot));
    facet.area += area;
    if (area > largest) largest = area, best = h;
  }
  facet.anchor = points[mesh.origin[best]];
  facet.normal = unit_normal(pivot, facet.anchor, points[mesh.origin[best + 1]]);
  return facet;
}

class FaceMerger {
 public:
  FaceMerger(const FacetMesh& mesh, std::span<const Vec3> points, double distance)
      : mesh_(mesh), points_(points), level_(mesh.facet_count(), 0) {
    for (int k = 0; k < k_levels; ++k) {
      distances_[k] = distance;
      distance /= 16;
    }
    for (int f = 0; f < mesh.facet_count(); ++f) {
      facets_.push_back(facet_of(mesh, points, f));
      largest_first_.push_back(f);
    }
    std::sort(largest_first_.begin(), largest_first_.end(), [&](int f, int g) {
      return facets_[f].area != facets_[g].area ? facets_[f].area > facets_[g].area : f < g;
    });
  }

  MergedFaces merge() {
    grow();
    while (!lower_what_fails()) grow();  // ends, as levels only rise: mostly at once, 17 rounds was the most
    MergedFaces faces{std::move(regions_), {}};
    for (int seed : seeds_) {
      const Facet& facet = facets_[seed];
      faces.planes.push_back({facet.normal, dot(facet.normal, facet.anchor)});
    }
    return faces;
  }

 private:
  // ------------------------------------------------------------------------------------------------- growing

  void grow() {
    regions_ = {std::vector<int>(mesh_.facet_count(), -1)};
    seeds_.clear();
    std::vector<int>& of_facet = regions_.of_facet;
    std::vector<int> grown;
    for (int seed : largest_first_) {
      if (of_facet[seed] >= 0) continue;
      const int region = of_facet[seed] = regions_.count++;
      seeds_.push_back(seed);
      grown.assign(1, seed);
      for (std::size_t i = 0; i < grown.size(); ++i) {
        for (int h = mesh_.begin[grown[i]]; h < mesh_.begin[grown[i] + 1]; ++h) {
          const int across = mesh_.facet[mesh_.twin[h]];
          if (of_facet[across] >= 0 || !is_near(across, seed)) continue;
          of_facet[across] = region;
          grown.push_back(across);
        }
      }
    }
  }

  bool is_near(int facet, int seed) const {
    const int level = std::max(level_[facet], level_[seed]);
    // Facets that face away are the other side of a blade, near only because they are near its edge.
    if (level == k_levels || !(dot(facets_[facet].normal, facets_[seed].normal) > 0)) return false;
    for (int h = mesh_.begin[facet]; h < mesh_.begin[facet + 1]; ++h)
      if (facets_[seed].distance(points_[mesh_.origin[h]]) < -distances_[level]) return false;
    return true;
  }

  // ------------------------------------------------------------------------------------------------ checking

  // True when every region is a face of a valid polyhedron.
  bool lower_what_fails() {
    boundaries_ = boundaries_at_vertices(mesh_, regions_, static_cast<int>(points_.size()));
    facets_in_.assign(regions_.count, 0);
    boundary_length_.assign(regions_.count, 0);
    std::vector<int> start(regions_.count, -1);
    for (int r : regions_.of_facet) ++facets_in_[r];
    for (int h = 0; h < mesh_.half_edge_count(); ++h) {
      const int r = region_of(h);
      if (r == region_of(mesh_.twin[h])) continue;
      ++boundary_length_[r];
      if (start[r] < 0 || boundaries_[mesh_.origin[h]] >= 3) start[r] = h;  // at a corner, if there is one
    }

    fails_.assign(regions_.count, false);
    visited_from_.assign(points_.size(), -1);
    seen_from_.assign(regions_.count, -1);
    for (int r = 0; r < regions_.count; ++r) {
      if (is_disc_with_corners(r, start[r]) && (facets_in_[r] == 1 || is_convex_face(r))) continue;
      fails_[r] = true;
      // A facet alone is right by itself: what fails there is that its neighbours swallowed its corners.
      if (facets_in_[r] == 1) fail_around(start[r]);
    }

    bool all_pass = true;
    for (int f = 0; f < mesh_.facet_count(); ++f) {
      const int r = regions_.of_facet[f];
      if (!fails_[r] || facets_in_[r] == 1) continue;
      all_pass = false;
      ++level_[f];
    }
    return all_pass;
  }

  int region_of(int h) const { return regions_.of_facet[mesh_.facet[h]]; }
  const Vec3& point(int h) const { return points_[mesh_.origin[h]]; }
  const Vec3& normal_of(int r) const { return facets_[seeds_[r]].normal; }

  // One boundary that passes no vertex twice, with at least three corners, and across its sides as many
  // different faces. Leaves the half-edges of the boundary in boundary_ and the places of corners among them
  // in corners_. (But for the number of corners, all that failed here in tests would have failed
  // is_convex_face() too. A valid mesh should not rest on that.)
  bool is_disc_with_corners(int r, int start) {
    boundary_.clear();
    corners_.clear();
    if (start < 0) return false;  // one region is everything
    int h = start;
    do {
      const int vertex = mesh_.origin[h];
      if (visited_from_[vertex] == r) return false;
      visited_from_[vertex] = r;
      if (boundaries_[vertex] >= 3) {
        const int across = region_of(mesh_.twin[h]);
        if (seen_from_[across] == r) return false;
        seen_from_[across] = r;
        corners_.push_back(static_cast<int>(boundary_.size()));
      }
      boundary_.push_back(h);
      h = next_on_boundary(mesh_, regions_, h);
    } while (h != start);
    return corners_.size() >= 3 && static_cast<int>(boundary_.size()) == boundary_length_[r];
  }

  bool is_convex_face(int r) {
    const Vec3& n = normal_of(r);
    const int count = static_cast<int>(corners_.size());
    const Vec3& pivot = point(boundary_[corners_[0]]);
    for (int i = 0; i < count; ++i) {
      const int start = corners_[i],
                end = i + 1 < count ? corners_[i + 1] : static_cast<int>(boundary_.size());
      const Vec3& a = point(boundary_[start]);
      const Vec3& b = point(boundary_[corners_[(i + 1) % count]]);
      const Vec3& c = point(boundary_[corners_[(i + 2) % count]]);
      // Every corner turns left, and about the first one the others go round less than half a turn.
      if (!(dot(n, cross(b - a, c - b)) > 0)) return false;
      if (i > 0 && i + 1 < count && !(dot(n, cross(a - pivot, b - pivot)) > 0)) return false;
      // The face across bends inward. Of two nearly parallel planes that is not a matter of course, for the
      // ends of the side lie only near both.
      const Vec3& m = normal_of(region_of(mesh_.twin[boundary_[start]]));
      if (!(dot(cross(n, m), b - a) > 0)) return false;
      // What was between the corners lies near both planes; at a sharp edge that can be far from the side.
      const Vec3 outward = n + m;
      const double most = 2 * distances_[0] * length(outward) + smaller(0, dot(outward, b - a));
      for (int k = start + 1; k < end; ++k)
        if (!(dot(outward, point(boundary_[k]) - a) <= most)) return false;
    }
    return true;
  }

  // All regions that meet the boundary of a lone facet.
  void fail_around(int start) {
    const int f = mesh_.facet[start];
    for (int side = mesh_.begin[f]; side < mesh_.begin[f + 1]; ++side) {
      int h = side;
      do {  // around the vertex
        fails_[region_of(h)] = true;
        h = mesh_.next(mesh_.twin[h]);
      } while (h != side);
    }
  }

  const FacetMesh& mesh_;
  std::span<const Vec3> points_;
  double distances_[k_levels];
  std::vector<Facet> facets_;
  std::vector<int> largest_first_;
  std::vector<int> level_;  // of each facet

  Regions regions_;
  std::vector<int> seeds_;  // of each region, the facet it grew from

  // Scratch of checking.
  std::vector<int> boundaries_, facets_in_, boundary_length_, visited_from_, seen_from_;
  std::vector<int> boundary_, corners_;
  std::vector<bool> fails_;
};

}  // namespace

MergedFaces merge_faces(const FacetMesh& mesh, std::span<const Vec3> points, double distance) {
  return FaceMerger(mesh, points, distance).merge();
}

}  // namespace cairn
