// The built form of 2D shapes: what mass integrals, bounds, rays and collisions work on.
//
// A Shape2 is a definition, with the values its author gave. `build` checks it and works out, once, what
// every later question needs:
//
//   Shape2                          Geometry2
//   Circle, Box2, Capsule2,         the same
//     Segment, Chain
//   Polygon                         ConvexPolygon: counter-clockwise corners and their edges' normals
//   Compound2                       PartList2: flat, compounds inside compounds are taken apart
#pragma once

#include <cairn/shape.h>

#include <string>
#include <variant>
#include <vector>

namespace cairn {

struct ConvexPolygon {
  std::vector<Vec2> points;   // counter-clockwise, strictly convex
  std::vector<Vec2> normals;  // unit, outward; normals[i] belongs to the edge from points[i] to points[i + 1]
};

// A shape that is not a compound.
using Primitive2 = std::variant<Circle, Box2, Capsule2, ConvexPolygon, Segment, Chain>;
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
  std::variant<Circle, Box2, Capsule2, ConvexPolygon, Segment, Chain, PartList2> form;
};

// Throws cairn::Error for a shape that cannot be right; `path` says where it stands.
Geometry2 build(const Shape2& shape, const Path& path);
Geometry2 build(const Shape2& shape);  // named by its type

// The path that names a shape which stands by itself: "Circle".
Path root_path(const Shape2& shape);

// The corners of the outline that matter, as indices into `points`, counter-clockwise: without repeated
// corners and corners on the line of their neighbours, both to the round-off of the coordinates. Throws for
// an outline that is concave, crosses itself or has no area.
std::vector<std::size_t> convex_corners(const std::vector<Vec2>& points, const Path& path);

}  // namespace cairn
