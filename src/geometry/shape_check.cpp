// What the field tables cannot say by a range: members of a shape that depend on each other.
//
// Called after every number has been found finite and inside its range.
#include <cairn/shape.h>

#include <algorithm>

#include "geometry/geometry_2d.h"

namespace cairn {
namespace {

using detail::refuse;

constexpr int k_deepest_nesting =
    16;  // of compounds inside compounds: a program's loop, not a person, makes more

std::string count_of(std::size_t n, std::string_view noun) {
  return std::to_string(n) + " " + std::string(noun) + (n == 1 ? "" : "s");
}

std::string text_of(const Triangle& t) {
  return "(" + std::to_string(t[0]) + ", " + std::to_string(t[1]) + ", " + std::to_string(t[2]) + ")";
}

int depth_of(const Shape2& shape);
int depth_of(const Shape3& shape);

// How many compounds stand inside one another, this one included.
template <class Compound>
int depth_of_compound(const Compound& compound) {
  int deepest = 0;
  for (const auto& part : compound.parts) deepest = std::max(deepest, depth_of(part.shape));
  return 1 + deepest;
}
int depth_of(const Shape2& shape) {
  const auto* compound = std::get_if<Compound2>(&shape);
  return compound ? depth_of_compound(*compound) : 0;
}
int depth_of(const Shape3& shape) {
  const auto* compound = std::get_if<Compound3>(&shape);
  return compound ? depth_of_compound(*compound) : 0;
}

template <class Compound>
void check_compound(const Compound& compound, const Path& path) {
  if (compound.parts.empty()) refuse(path / "parts", "[]", "must have at least one part");
  if (depth_of_compound(compound) > k_deepest_nesting)
    refuse(path / "parts", count_of(compound.parts.size(), "part"),
           "holds compounds nested more than " + std::to_string(k_deepest_nesting) +
               " deep; list the parts in one compound");
}

}  // namespace

void Fields<Hull>::check(const Hull& shape, const Path& path) {
  if (shape.points.size() < 4)
    refuse(path / "points", count_of(shape.points.size(), "point"),
           "must be at least 4 points that do not lie in one plane");
}

void Fields<Plane>::check(const Plane& shape, const Path& path) {
  if (shape.normal == Vec3{})
    refuse(path / "normal", to_text(shape.normal), "must not be zero: it points out of the solid half-space");
}

void Fields<Mesh>::check(const Mesh& shape, const Path& path) {
  const Path list = path / "triangles";
  if (shape.triangles.empty()) refuse(list, "[]", "must have at least one triangle");
  const std::size_t n = shape.vertices.size();
  for (std::size_t t = 0; t < shape.triangles.size(); ++t) {
    const auto [a, b, c] = shape.triangles[t];
    if (a >= n || b >= n || c >= n)
      refuse(list[t], text_of(shape.triangles[t]),
             "names a vertex that does not exist: there are " + std::to_string(n) + ", numbered from 0");
    if (a == b || b == c || c == a)
      refuse(list[t], text_of(shape.triangles[t]), "must have three different corners");
  }
}

void Fields<HeightField>::check(const HeightField& shape, const Path& path) {
  const std::size_t expected = std::size_t(shape.columns) * shape.rows;
  if (shape.heights.size() != expected)
    refuse(path / "heights", count_of(shape.heights.size(), "height"),
           "must be columns × rows = " + std::to_string(shape.columns) + " × " + std::to_string(shape.rows) +
               " = " + std::to_string(expected) + " heights, row after row");
}

void Fields<Polygon>::check(const Polygon& shape, const Path& path) {
  if (shape.points.size() < 3)
    refuse(path / "points", count_of(shape.points.size(), "point"), "must be at least 3 corners");
  convex_corners(shape.points, path / "points");
}

void Fields<Segment>::check(const Segment& shape, const Path& path) {
  if (shape.a == shape.b)
    refuse(path / "b", to_text(shape.b) + " m", "must differ from a: the segment has no length");
}

void Fields<Chain>::check(const Chain& shape, const Path& path) {
  const std::size_t n = shape.points.size(), least = shape.loop ? 3 : 2;
  const Path list = path / "points";
  if (n < least)
    refuse(list, count_of(n, "point"),
           shape.loop ? "must be at least 3 points for a loop" : "must be at least 2 points");
  for (std::size_t i = 0; i < n; ++i) {
    if (i + 1 == n && !shape.loop) break;
    if (shape.points[i] == shape.points[(i + 1) % n])
      refuse(list[i], to_text(shape.points[i]) + " m",
             i + 1 < n ? "must differ from the next point: the segment has no length"
                       : "must differ from the first point, to which a loop returns by itself");
  }
}

void Fields<Compound2>::check(const Compound2& shape, const Path& path) { check_compound(shape, path); }
void Fields<Compound3>::check(const Compound3& shape, const Path& path) { check_compound(shape, path); }

}  // namespace cairn
