#include "geometry/polyhedron_check.h"

#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <utility>
#include <vector>

#include "geometry/hull_3d.h"
#include "geometry/predicates.h"

namespace cairn::test {
namespace {

using Index = Polyhedron::Index;
constexpr double k_rounding = 1e-14;  // of the largest coordinate: some tens of half ulps

struct Defect {
  std::string text;
};

template <class... Parts>
void require(bool condition, const Parts&... parts) {
  if (condition) return;
  std::ostringstream text;
  (text << ... << parts);
  throw Defect{text.str()};
}

double largest_coordinate(std::span<const Vec3> points) {
  double largest = 0;
  for (const Vec3& p : points)
    for (double x : {p.x, p.y, p.z}) largest = larger(largest, absolute(x));
  return largest;
}

// Calls check(point) for all of them, or for evenly spread ones so that points × faces stays affordable.
template <class Check>
void for_affordable(std::span<const Vec3> points, std::size_t faces, Check&& check) {
  const std::size_t step = 1 + points.size() * faces / 1'000'000;
  for (std::size_t i = 0; i < points.size(); i += step) check(points[i]);
}

void check_faces_and_edges(const Polyhedron& hull) {
  const std::size_t v = hull.vertices.size(), e = hull.edges.size(), f = hull.face_count();
  require(v >= 4 && f >= 4, "has ", v, " vertices and ", f, " faces");
  require(v + f == e + 2, "V - E + F = ", v, " - ", e, " + ", f);
  require(hull.face_begin.size() == f + 1 && hull.face_begin[0] == 0, "face_begin is incomplete");
  require(
      hull.face_begin[f] == 2 * e && hull.face_vertices.size() == 2 * e && hull.face_edges.size() == 2 * e,
      "faces have ", hull.face_vertices.size(), " sides for ", e, " edges");

  std::vector<int> sides_of_edge(e), faces_of_vertex(v);
  std::map<std::pair<Index, Index>, Index> pairs_of_faces;
  for (Index k = 0; k < e; ++k) {
    const Polyhedron::Edge& edge = hull.edges[k];
    require(edge.vertices[0] < edge.vertices[1] && edge.vertices[1] < v, "edge ", k, " has odd vertices");
    require(edge.faces[0] != edge.faces[1] && edge.faces[0] < f && edge.faces[1] < f, "edge ", k,
            " has odd faces");
    if (k > 0)
      require(std::pair(hull.edges[k - 1].vertices[0], hull.edges[k - 1].vertices[1]) <
                  std::pair(edge.vertices[0], edge.vertices[1]),
              "edge ", k, " is double or out of order");
    const std::pair<Index, Index> faces = std::minmax(edge.faces[0], edge.faces[1]);
    require(pairs_of_faces.emplace(faces, k).second, "faces ", faces.first, " and ", faces.second,
            " share two edges");
  }
  for (Index i = 0; i < f; ++i) {
    const auto face = hull.face(i);
    require(face.size() >= 3, "face ", i, " has ", face.size(), " vertices");
    for (std::size_t k = 0; k < face.size(); ++k) {
      const Index a = face[k], b = face[(k + 1) % face.size()],
                  number = hull.face_edges[hull.face_begin[i] + k];
      require(a < v, "face ", i, " has vertex ", a);
      ++faces_of_vertex[a];
      for (std::size_t j = k + 1; j < face.size(); ++j)
        require(face[j] != a, "face ", i, " repeats vertex ", a);
      require(number < e, "face ", i, " has edge ", number);
      const Polyhedron::Edge& edge = hull.edges[number];
      ++sides_of_edge[number];
      require(a < b ? edge.vertices[0] == a && edge.vertices[1] == b && edge.faces[0] == i
                    : edge.vertices[0] == b && edge.vertices[1] == a && edge.faces[1] == i,
              "edge ", number, " does not match side ", k, " of face ", i);
    }
  }
  for (Index k = 0; k < e; ++k)
    require(sides_of_edge[k] == 2, "edge ", k, " has ", sides_of_edge[k], " sides");
  for (Index k = 0; k < v; ++k)
    require(faces_of_vertex[k] >= 3, "vertex ", k, " has ", faces_of_vertex[k], " faces");
}

void check_convexity(const Polyhedron& hull, std::span<const Vec3> points, double rounding) {
  for (Index f = 0; f < hull.face_count(); ++f) {
    const FacePlane& plane = hull.planes[f];
    require(absolute(length(plane.normal) - 1) < 1e-15, "face ", f, " has a normal of length ",
            length(plane.normal));
    const auto face = hull.face(f);
    for (std::size_t k = 0; k < face.size(); ++k) {
      const Vec3 &a = hull.vertices[face[k]], &b = hull.vertices[face[(k + 1) % face.size()]],
                 &c = hull.vertices[face[(k + 2) % face.size()]];
      const double above = plane.distance(a);
      require(above <= rounding && above >= -hull.merge_distance - rounding, "a corner of face ", f, " is ",
              above, " m above its plane");
      const double turn = dot(plane.normal, cross(b - a, c - b)) / (length(b - a) * length(c - b));
      require(turn > -1e-15, "face ", f, " turns ", turn, " rad at a corner");
    }
  }
  for (Index k = 0; k < hull.edges.size(); ++k) {
    const Polyhedron::Edge& edge = hull.edges[k];
    const Vec3 along = normalized(hull.vertices[edge.vertices[1]] - hull.vertices[edge.vertices[0]]);
    const double bend =
        dot(cross(hull.planes[edge.faces[0]].normal, hull.planes[edge.faces[1]].normal), along);
    require(bend > -1e-14, "edge ", k, " bends inward by ", -bend, " rad");
  }
  for_affordable(points, hull.face_count(), [&](const Vec3& p) {
    for (Index f = 0; f < hull.face_count(); ++f)
      require(hull.planes[f].distance(p) <= hull.merge_distance + rounding, "a point is ",
              hull.planes[f].distance(p), " m outside face ", f);
  });
}

// Climbing from any vertex must reach the highest one. Rounded heights may stop it on a flat cap; but
// whatever is flatter than merge_distance was merged, so what is missing is rounding magnified by extent /
// merge_distance.
void check_climbing(const Polyhedron& hull, double rounding) {
  const std::size_t v = hull.vertices.size();
  require(hull.neighbour_begin.size() == v + 1 && hull.neighbour_begin[v] == hull.neighbours.size(),
          "neighbour_begin is incomplete");
  for (Index i = 0; i < v; ++i) {
    require(hull.neighbours_of(i).size() >= 3, "vertex ", i, " has ", hull.neighbours_of(i).size(),
            " neighbours");
    for (Index n : hull.neighbours_of(i)) {
      require(n < v && n != i, "vertex ", i, " has neighbour ", n);
      bool mutual = false;
      for (Index back : hull.neighbours_of(n)) mutual |= back == i;
      require(mutual, "vertices ", i, " and ", n, " are not mutual neighbours");
    }
  }
  double extent = 0;
  for (const Vec3& p : hull.vertices) extent = larger(extent, length(p - hull.vertices[0]));
  if (hull.merge_distance < 1e-9 * extent) return;  // see `neighbours`
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 30; ++k) {
    const Vec3 to = k % 3 == 0 ? hull.planes[random() % hull.face_count()].normal
                               : normalized(Vec3{normal(random), normal(random), normal(random)});
    const auto height = [&](Index i) { return dot(to, hull.vertices[i] - hull.vertices[0]); };
    Index at = static_cast<Index>(random() % v);
    for (bool climbing = true; climbing;) {
      climbing = false;
      for (Index n : hull.neighbours_of(at)) {
        if (height(n) <= height(at))
          continue;  // heights, for signs of differences might go round in a circle
        at = n;
        climbing = true;
        break;
      }
    }
    for (Index i = 0; i < v; ++i)
      require(height(i) - height(at) <= rounding * (1 + 0.1 * extent / hull.merge_distance),
              "climbing stopped ", height(i) - height(at), " m short");
  }
}

// Closed, exactly convex, and around all points exactly.
void check_exact(const ExactHull& mesh, std::span<const Vec3> points) {
  std::map<std::pair<Index, Index>, Index> opposite;  // of each directed side, the third vertex
  for (const auto& t : mesh.triangles)
    for (int k = 0; k < 3; ++k)
      require(opposite.emplace(std::pair(t[k], t[(k + 1) % 3]), t[(k + 2) % 3]).second,
              "a side of the exact hull is double");
  require(2 * mesh.vertices.size() == mesh.triangles.size() + 4, "the exact hull has ", mesh.vertices.size(),
          " vertices and ", mesh.triangles.size(), " triangles");
  const auto side = [&](const std::array<Index, 3>& t, const Vec3& p) {
    return orient3d(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]], p);
  };
  for (const auto& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const auto across = opposite.find({t[(k + 1) % 3], t[k]});
      require(across != opposite.end(), "the exact hull is open");
      require(side(t, mesh.vertices[across->second]) <= 0, "the exact hull is not convex");
    }
  for_affordable(points, 10 * mesh.triangles.size(), [&](const Vec3& p) {
    for (const auto& t : mesh.triangles) require(side(t, p) <= 0, "a point is outside the exact hull");
  });
}

// What merging cut off: every point is within a few merge distances of the exact hull of the vertices.
void check_loss(const Polyhedron& hull, double rounding) {
  const ExactHull inner = build_hull(hull.vertices, {}).exact;
  require(inner.vertices == hull.vertices, "a vertex is not a corner of the hull of all vertices");
  for_affordable(hull.exact.vertices, inner.triangles.size(), [&](const Vec3& p) {
    for (const auto& t : inner.triangles) {
      const Vec3& a = inner.vertices[t[0]];
      const double loss = dot(unit_normal(a, inner.vertices[t[1]], inner.vertices[t[2]]), p - a);
      require(loss <= 3 * hull.merge_distance + rounding, "merging cut off ", loss / hull.merge_distance,
              " merge distances");
    }
  });
}

}  // namespace

std::string defect_of(const Polyhedron& hull, std::span<const Vec3> points) {
  const double rounding = k_rounding * largest_coordinate(points);
  try {
    check_faces_and_edges(hull);
    check_convexity(hull, points, rounding);
    check_climbing(hull, rounding);
    check_exact(hull.exact, points);
    if (hull.vertices.size() < hull.exact.vertices.size()) check_loss(hull, rounding);
  } catch (const Defect& defect) {
    return defect.text;
  }
  return {};
}

// Seen from a vertex of a convex mesh all tetrahedra are positive, so nothing cancels in the sum.
double volume(const ExactHull& mesh) {
  double six_volumes = 0;
  for (const auto& t : mesh.triangles)
    six_volumes +=
        triple_product(mesh.vertices[0], mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
  return six_volumes / 6;
}
double area(const ExactHull& mesh) {
  double two_areas = 0;
  for (const auto& t : mesh.triangles)
    two_areas +=
        length(cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]]));
  return two_areas / 2;
}

}  // namespace cairn::test
