// check the points → exact hull → merge nearly coplanar facets → the polyhedron's arrays, in a canonical
// order.
#include "geometry/hull_3d.h"

#include <algorithm>

#include "base/assert.h"
#include "geometry/face_merge.h"
#include "geometry/point_cloud.h"
#include "geometry/quickhull.h"

namespace cairn {
namespace {

using Index = Polyhedron::Index;

constexpr double k_largest_tolerance = 0.1;
constexpr double k_rounding = 1e-15;  // of the largest coordinate: four or five ulps

// The points that the mesh uses, which are renumbered in it. Keeps their order.
std::vector<Vec3> compact(FacetMesh& mesh, std::span<const Vec3> points) {
  std::vector<int> number(points.size(), -1);
  for (int v : mesh.origin) number[v] = 0;
  std::vector<Vec3> used;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (number[i] < 0) continue;
    number[i] = static_cast<int>(used.size());
    used.push_back(points[i]);
  }
  for (int& v : mesh.origin) v = number[v];
  return used;
}

// Of points in lexicographic order those that are more than `distance` from all chosen before them.
std::vector<Vec3> spread_out(std::span<const Vec3> points, double distance) {
  std::vector<Vec3> kept;
  for (const Vec3& p : points) {
    bool is_near = false;
    for (std::size_t i = kept.size(); i-- > 0 && !is_near && p.x - kept[i].x <= distance;)
      is_near = length_squared(p - kept[i]) <= distance * distance;
    if (!is_near) kept.push_back(p);
  }
  return kept;
}

ExactHull triangulated(const FacetMesh& mesh, std::vector<Vec3> vertices) {
  const auto corner = [&](int h) { return static_cast<Index>(mesh.origin[h]); };
  ExactHull result{std::move(vertices), {}};
  for (int f = 0; f < mesh.facet_count(); ++f)
    for (int h = mesh.begin[f] + 1; h + 1 < mesh.begin[f + 1]; ++h)
      result.triangles.push_back({corner(mesh.begin[f]), corner(h), corner(h + 1)});
  return result;
}

// Faces start at their lowest vertex and are ordered by their vertices; so no order of construction shows.
void set_faces(Polyhedron& hull, const FacetMesh& mesh, std::span<const FacePlane> planes) {
  struct Face {
    std::vector<Index> vertices;
    int facet;
  };
  std::vector<Face> faces;
  for (int f = 0; f < mesh.facet_count(); ++f) {
    Face face{{}, f};
    for (int h = mesh.begin[f]; h < mesh.begin[f + 1]; ++h)
      face.vertices.push_back(static_cast<Index>(mesh.origin[h]));
    std::rotate(face.vertices.begin(), std::min_element(face.vertices.begin(), face.vertices.end()),
                face.vertices.end());
    faces.push_back(std::move(face));
  }
  std::sort(faces.begin(), faces.end(),
            [](const Face& a, const Face& b) { return a.vertices < b.vertices; });  // no two are equal

  hull.face_begin.assign(1, 0);
  for (const Face& face : faces) {
    hull.planes.push_back(planes[face.facet]);
    hull.face_vertices.insert(hull.face_vertices.end(), face.vertices.begin(), face.vertices.end());
    hull.face_begin.push_back(static_cast<Index>(hull.face_vertices.size()));
  }
}

void set_edges(Polyhedron& hull) {
  struct Side {  // of a face; the two of an edge come together when sorted
    Index low, high;
    bool downward;
    Index face, corner;
  };
  std::vector<Side> sides;
  for (Index f = 0; f < hull.face_count(); ++f) {
    const auto face = hull.face(f);
    for (std::size_t i = 0; i < face.size(); ++i) {
      const Index a = face[i], b = face[i + 1 < face.size() ? i + 1 : 0];
      sides.push_back({std::min(a, b), std::max(a, b), b < a, f, hull.face_begin[f] + static_cast<Index>(i)});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return a.low != b.low ? a.low < b.low : a.high != b.high ? a.high < b.high : a.downward < b.downward;
  });
  hull.face_edges.resize(hull.face_vertices.size());
  for (std::size_t i = 0; i < sides.size(); i += 2) {
    const Side &up = sides[i], &down = sides[i + 1];
    CAIRN_ASSERT(up.low == down.low && up.high == down.high && !up.downward && down.downward);
    hull.face_edges[up.corner] = hull.face_edges[down.corner] = static_cast<Index>(hull.edges.size());
    hull.edges.push_back({{up.low, up.high}, {up.face, down.face}});
  }
}

// `exact` is the exact hull of hull.vertices.
void set_neighbours(Polyhedron& hull, const FacetMesh& exact) {
  std::vector<std::vector<Index>> of(hull.vertices.size());
  for (int h = 0; h < exact.half_edge_count(); ++h)
    of[exact.origin[h]].push_back(static_cast<Index>(exact.target(h)));
  hull.neighbour_begin.assign(1, 0);
  for (std::vector<Index>& neighbours : of) {
    CAIRN_ASSERT(neighbours.size() >= 3);
    std::sort(neighbours.begin(), neighbours.end());
    hull.neighbours.insert(hull.neighbours.end(), neighbours.begin(), neighbours.end());
    hull.neighbour_begin.push_back(static_cast<Index>(hull.neighbours.size()));
  }
}

}  // namespace

Polyhedron build_hull(std::span<const Vec3> given, const HullSettings& settings) {
  if (!(settings.merge_tolerance >= 0 && settings.merge_tolerance <= k_largest_tolerance))
    throw Error("HullSettings.merge_tolerance", number_text(settings.merge_tolerance),
                "must be from 0 to " + number_text(k_largest_tolerance));
  const PointCloud<Vec3> cloud = checked_cloud(given, "Hull.points", 4);
  const std::vector<Vec3>& points = cloud.points;
  const Simplex simplex = find_simplex(points);
  if (simplex.width < k_least_thickness * cloud.extent) throw too_thin(cloud, simplex.width, "line");
  if (simplex.thickness < k_least_thickness * cloud.extent) throw too_thin(cloud, simplex.thickness, "plane");

  Polyhedron hull;
  hull.merge_distance =
      smaller(larger(settings.merge_tolerance * cloud.extent, k_rounding * cloud.largest_coordinate),
              k_most_of_thickness * simplex.thickness);

  FacetMesh facets = exact_hull(points);
  hull.exact = triangulated(facets, compact(facets, points));
  // Corners nearer to each other than the surface may move are one corner: tiny facets between them have
  // directions of their own and would be in the way of merging. What is left out was no further than that
  // from what is kept.
  const std::vector<Vec3> corners = spread_out(hull.exact.vertices, hull.merge_distance);
  if (corners.size() < hull.exact.vertices.size()) facets = exact_hull(corners);

  const MergedFaces merged = merge_faces(facets, corners, hull.merge_distance);
  FacetMesh faces = coarsened(facets, merged.regions, static_cast<int>(corners.size()));
  hull.vertices = compact(faces, corners);
  set_faces(hull, faces, merged.planes);
  set_edges(hull);
  const bool is_exact = faces.facet_count() == facets.facet_count();
  set_neighbours(hull, is_exact ? faces : exact_hull(hull.vertices));
  return hull;
}

}  // namespace cairn
