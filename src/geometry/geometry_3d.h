// The built form of 3D shapes: what mass integrals, bounds, rays and collisions work on.
//
// A Shape3 is a definition, with the values its author gave. `build` checks it and works out, once, what
// every later question needs:
//
//   Shape3                     Geometry3
//   Sphere, Box3, Capsule3,    the same
//     Cylinder, Cone
//   Plane                      Plane, with a unit normal
//   Hull                       Polyhedron: corners, edges and faces with their planes
//   Mesh                       TriangleMesh: cleaned, with a tree of boxes and what lies beyond each edge
//   HeightField                HeightGrid: with its lowest and highest sample
//   Compound3                  PartList3: flat, compounds inside compounds are taken apart
#pragma once

#include <cairn/shape.h>

#include <string>
#include <variant>
#include <vector>

#include "geometry/notes.h"
#include "geometry/polyhedron.h"
#include "geometry/static_tree.h"

namespace cairn {

// How a surface goes on beyond an edge of a triangle, seen from the front.
enum class EdgeKind : std::uint8_t {
  flat,     // in the same plane
  convex,   // away from the viewer: the edge sticks out
  concave,  // towards the viewer: the edge is sunk
  open,     // not at all
};

// The three edges and corners of a triangle, in two bytes. Edge k goes from corner k to the next one.
struct TriangleRims {
  std::uint16_t bits =
      0;  // 2 for each edge's kind, then 1 for each crowded edge, then 1 for each bearing corner

  EdgeKind kind(int edge) const { return EdgeKind(bits >> 2 * edge & 3); }
  // Do more than two triangles meet at the edge? Then its neighbour is the first one met from the front.
  bool is_crowded(int edge) const { return bits >> (6 + edge) & 1; }
  // May the corner stick out? Not where every edge around it is flat or concave.
  bool may_bear(int corner) const { return bits >> (9 + corner) & 1; }
};

// A closed mesh bounds a solid: its surface has one side, the front. An open one is a sheet with two sides.
struct TriangleMesh {
  static constexpr std::uint32_t k_no_triangle = ~0u;

  std::vector<Vec3> vertices;       // no two at one place, each used
  std::vector<Triangle> triangles;  // all have an area, no two the same
  Bounds3 box;
  // Triangles that were given more than once are here once. But such a mesh has no mass: who says whether a solid
  // given twice over should weigh twice?
  struct Repeats {
    std::size_t count = 0;
    std::array<Vec3, 3> corners{};  // of the first one
  } repeats;

  // How the triangles hang together: written by connect() of mesh_topology.h, one entry for each triangle.
  std::vector<Vec3> normals;         // unit, to the front; of thin slivers their neighbour's
  std::vector<Triangle> neighbours;  // the triangles beyond the edges, or k_no_triangle
  std::vector<TriangleRims> rims;
  std::vector<std::uint32_t> regions;  // the lowest triangle of the flat region that the triangle belongs to
  bool closed = false;

  StaticTree tree;  // over the triangles
};

struct HeightGrid {
  HeightField field;
  double lowest = 0, highest = 0;  // [m]

  Vec3 sample(std::size_t i, std::size_t j) const {
    return {double(i) * field.spacing.x, double(j) * field.spacing.y, field.heights[j * field.columns + i]};
  }
};

// A shape that is not a compound.
using Primitive3 =
    std::variant<Sphere, Box3, Capsule3, Cylinder, Cone, Polyhedron, Plane, TriangleMesh, HeightGrid>;
struct Part3 {
  Pose3 pose;  // in the compound's frame
  Primitive3 shape;
  std::string place;  // in the definition: "parts[2].shape", for error texts
};
struct PartList3 {
  std::vector<Part3> parts;  // at least one
};
// A struct rather than the variant itself: a Sphere is a Shape3 and part of a Geometry3, and calls with one
// must not be ambiguous.
struct Geometry3 {
  std::variant<Sphere, Box3, Capsule3, Cylinder, Cone, Polyhedron, Plane, TriangleMesh, HeightGrid, PartList3>
      form;
};

// Throws cairn::Error for a shape that cannot be right; `path` says where it stands.
Geometry3 build(const Shape3& shape, const Path& path);
Geometry3 build(const Shape3& shape);  // named by its type
// The same, and says in `notes` what was cleaned.
Geometry3 build(const Shape3& shape, const Path& path, Notes& notes);

// The path that names a shape which stands by itself: "Sphere".
Path root_path(const Shape3& shape);

}  // namespace cairn
