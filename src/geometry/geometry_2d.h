// The built form of 2D shapes: what mass integrals, bounds, rays and collisions work on.
//
// A Shape2 is a definition, with the values its author gave. `build` checks it and works out, once, what
// every later question needs:
//
//   Shape2                          Geometry2
//   Circle, Box2, Capsule2,         the same
//     Segment
//   Polygon                         ConvexPolygon: counter-clockwise corners and their edges' normals
//   Chain                           PolyLine: its straight runs as faces, and a tree of their boxes
//   Compound2                       PartList2: flat, compounds inside compounds are taken apart
#pragma once

#include <cairn/shape.h>

#include <string>
#include <variant>
#include <vector>

#include "geometry/notes.h"
#include "geometry/run_tree.h"

namespace cairn {

struct ConvexPolygon {
  std::vector<Vec2> points;   // counter-clockwise, strictly convex
  std::vector<Vec2> normals;  // unit, outward; normals[i] belongs to the edge from points[i] to points[i + 1]
};

// Segments of a chain that lie on one line, to the round-off of the coordinates: joints inside it are no corners.
struct ChainFace {
  Vec2 a{}, b{};            // [m] ends, in the order of the chain
  Vec2 normal{};            // unit, out of the solid: to the left of the way from a to b
  std::uint32_t first = 0;  // of its segments, and the point where that begins
  std::uint32_t count = 0;  // of its segments
  std::uint32_t to = 0;     // the point where it ends
};
// A chain, ready for collisions.
struct PolyLine : Chain {
  std::vector<ChainFace> faces;  // in order; of a loop the last one meets the first
  RunTree2 tree;                 // of the faces' boxes
};
PolyLine poly_line(const Chain& chain);  // which must have been checked

// A shape that is not a compound.
using Primitive2 = std::variant<Circle, Box2, Capsule2, ConvexPolygon, Segment, PolyLine>;
struct Part2 {
  Pose2 pose;  // in the compound's frame
  Primitive2 shape;
  std::string place;  // in the definition: "parts[2].shape", for error texts
};
struct PartList2 {
  std::vector<Part2> parts;  // at least one
};
// A struct rather than the variant itself: a Circle is a Shape2 and part of a Geometry2, and calls with one
// must not be ambiguous.
struct Geometry2 {
  std::variant<Circle, Box2, Capsule2, ConvexPolygon, Segment, PolyLine, PartList2> form;
};

// Throws cairn::Error for a shape that cannot be right; `path` says where it stands.
Geometry2 build(const Shape2& shape, const Path& path);
Geometry2 build(const Shape2& shape);  // named by its type
// The same, and says in `notes` what was cleaned.
Geometry2 build(const Shape2& shape, const Path& path, Notes& notes);

// The path that names a shape which stands by itself: "Circle".
Path root_path(const Shape2& shape);

// The corners of the outline that matter, as indices into `points`, counter-clockwise: without repeated
// corners and corners on the line of their neighbours, both to the round-off of the coordinates. Throws for
// an outline that is concave, crosses itself or has no area.
std::vector<std::size_t> convex_corners(const std::vector<Vec2>& points, const Path& path);

}  // namespace cairn
