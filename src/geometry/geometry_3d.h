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
//   Mesh                       TriangleMesh: corners at one place welded, unused ones gone
//   HeightField                HeightGrid: with its lowest and highest sample
//   Compound3                  PartList3: flat, compounds inside compounds are taken apart
#pragma once

#include <cairn/shape.h>

#include <string>
#include <variant>
#include <vector>

#include "geometry/polyhedron.h"

namespace cairn {

struct TriangleMesh {
  std::vector<Vec3> vertices;  // no two at one place, each used
  std::vector<Triangle> triangles;
  Bounds3 box;
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

// The path that names a shape which stands by itself: "Sphere".
Path root_path(const Shape3& shape);

}  // namespace cairn
