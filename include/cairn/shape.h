// Shapes are values: what a body looks like to collisions, rays and mass integrals, in the shape's own frame.
//
// 3D: Sphere, Box3, Capsule3, Cylinder, Cone, Hull, Plane, Mesh, HeightField, Compound3.
// 2D: Circle, Box2, Capsule2, Polygon, Segment, Chain, Compound2.
// Round shapes have their axis along z in 3D and along y in 2D, the way that is up.
#pragma once

#include <cairn/field.h>

#include <cstdint>
#include <span>

namespace cairn {

// ------------------------------------------------------------------------------------------------------ 3D

struct Sphere {
  double radius = 0.5;  // [m]
};
struct Box3 {
  Vec3 half{0.5, 0.5, 0.5};  // [m] half the edge lengths
};
// All points within `radius` of the segment from (0, 0, −half_length) to (0, 0, half_length).
struct Capsule3 {
  double radius = 0.25;       // [m]
  double half_length = 0.25;  // [m]
};
struct Cylinder {
  double radius = 0.5;       // [m]
  double half_height = 0.5;  // [m] along z
};
// Base at z = −half_height, apex at z = +half_height; the centre of mass is at −half_height/2.
struct Cone {
  double radius = 0.5;       // [m] of the base
  double half_height = 0.5;  // [m]
};
// The smallest convex body around the points, which may be any set with some thickness.
struct Hull {
  std::vector<Vec3> points;       // [m]
  double merge_tolerance = 1e-6;  // faces whose corners lie within this fraction of the extent become one
};
// The half-space normal·x ≤ offset. Infinite, so only for fixed bodies.
struct Plane {
  Vec3 normal{0, 0, 1};  // need not have unit length
  double offset = 0;     // [m] of the surface from the origin, along the unit normal
};
using Triangle = std::array<std::uint32_t, 3>;  // corner indices, counter-clockwise seen from outside
// A surface of triangles. Where it is closed it has a volume and a mass, and contacts push out of the side that the
// triangles are seen counter-clockwise from. Where it is open it is a sheet with two sides: contacts push to the one on
// which the middle of the other shape lies.
struct Mesh {
  std::vector<Vec3> vertices;  // [m]
  std::vector<Triangle> triangles;
};
// Heights over a grid of columns × rows samples: sample (i, j) stands at (i·spacing.x, j·spacing.y) with the
// height heights[j·columns + i]. Each cell is two triangles, cut from sample (i, j) to (i + 1, j + 1). The
// ground is below: contacts push up.
struct HeightField {
  std::uint32_t columns = 2, rows = 2;
  Vec2 spacing{1, 1};           // [m]
  std::vector<double> heights;  // [m]
};
struct CompoundPart3;
// Several shapes as one. Parts that overlap count twice in the mass.
struct Compound3 {
  std::vector<CompoundPart3> parts;
};
using Shape3 =
    std::variant<Sphere, Box3, Capsule3, Cylinder, Cone, Hull, Plane, Mesh, HeightField, Compound3>;
struct CompoundPart3 {
  Shape3 shape;
  Vec3 position{};  // [m] of the shape's frame in the compound's
  Rot3 rotation{};
};

// ------------------------------------------------------------------------------------------------------ 2D

struct Circle {
  double radius = 0.5;  // [m]
};
struct Box2 {
  Vec2 half{0.5, 0.5};  // [m] half the edge lengths
};
// All points within `radius` of the segment from (0, −half_length) to (0, half_length).
struct Capsule2 {
  double radius = 0.25;       // [m]
  double half_length = 0.25;  // [m]
};
// A convex outline: three or more corners in order, either way round. For a concave one see
// convex_decomposition.
struct Polygon {
  std::vector<Vec2> points;  // [m]
};
// A thin wall with two sides. It has no area, hence no mass.
struct Segment {
  Vec2 a{-0.5, 0}, b{0.5, 0};  // [m]
};
// Segments end to end, solid on the right-hand side of the way they are drawn: ground from left to right, an
// island clockwise, a basin counter-clockwise. It pushes to the left only: what has its middle on the right is let
// through. Joints between segments on one line are not felt. It has no area, hence no mass.
struct Chain {
  std::vector<Vec2> points;  // [m]
  bool loop = false;         // does the last point connect to the first?
};
struct CompoundPart2;
struct Compound2 {
  std::vector<CompoundPart2> parts;
};
using Shape2 = std::variant<Circle, Box2, Capsule2, Polygon, Segment, Chain, Compound2>;
struct CompoundPart2 {
  Shape2 shape;
  Vec2 position{};  // [m]
  Rot2 rotation{};
};

// ------------------------------------------------------------------------------------ questions to a shape

template <class D>
struct ShapeOf;
template <>
struct ShapeOf<Dim2> {
  using type = Shape2;
};
template <>
struct ShapeOf<Dim3> {
  using type = Shape3;
};
template <class D>
using Shape = typename ShapeOf<D>::type;

// Mass, where it is and how it is spread. In 2D the density is per area.
template <class D>
struct MassProperties {
  double mass = 0;                // [kg]
  typename D::Vec center{};       // [m] of mass, in the frame of the shape or body
  typename D::Inertia inertia{};  // [kg·m²] about the centre of mass, in the axes of the shape or body
};
using MassProperties2 = MassProperties<Dim2>;
using MassProperties3 = MassProperties<Dim3>;

// An axis-aligned box.
template <class D>
struct Bounds {
  typename D::Vec lo{}, hi{};  // [m]
};
using Bounds2 = Bounds<Dim2>;
using Bounds3 = Bounds<Dim3>;

template <class D>
struct Ray {
  typename D::Vec origin{};       // [m]
  typename D::Vec translation{};  // [m] to the ray's end; must not be zero
};
template <class D>
struct RayHit {
  double fraction = 0;       // of the translation, in [0, 1]; 0 where the ray starts inside a solid
  typename D::Vec point{};   // [m]
  typename D::Vec normal{};  // unit, out of the surface towards the ray's origin; against the ray from inside
};
using Ray2 = Ray<Dim2>;
using Ray3 = Ray<Dim3>;
using RayHit2 = RayHit<Dim2>;
using RayHit3 = RayHit<Dim3>;

// These check the shape and build what it needs (a hull's faces, say) at each call: for one-off questions. A
// world builds each of its shapes once.

// Is the shape of a kind that has a volume (in 2D, an area)? Planes, height fields, segments and chains are
// not, nor compounds with such parts. Of a mesh, only mass_properties tells whether it is closed.
bool has_volume(const Shape2& shape);
bool has_volume(const Shape3& shape);
// Exact to round-off. Throws for a shape without volume, and for a mesh that is open or inside out. A
// compound needs a volume in every part.
MassProperties2 mass_properties(const Shape2& shape, double density);  // [kg/m²]
MassProperties3 mass_properties(const Shape3& shape, double density);  // [kg/m³]
MassProperties2 combined(std::span<const MassProperties2> parts);      // all in one frame
MassProperties3 combined(std::span<const MassProperties3> parts);
// From the frame that the pose describes into the one it is given in.
MassProperties2 transformed(const Pose2& pose, const MassProperties2& mass);
MassProperties3 transformed(const Pose3& pose, const MassProperties3& mass);
// Tight in any pose. A plane reaches to infinity, but for the side that its normal points to along an axis.
Bounds2 bounds(const Shape2& shape, const Pose2& pose);
Bounds3 bounds(const Shape3& shape, const Pose3& pose);
// A point of the shape that lies furthest along `direction`, of any length. Throws for shapes that are not
// convex and bounded.
Vec2 support(const Shape2& shape, const Vec2& direction);
Vec3 support(const Shape3& shape, const Vec3& direction);
// The first point the ray meets. Meshes, height fields, segments and chains are hit from both sides;
// everything else is solid.
std::optional<RayHit2> ray_cast(const Shape2& shape, const Ray2& ray);
std::optional<RayHit3> ray_cast(const Shape3& shape, const Ray3& ray);
// How near convex_decomposition comes to a mesh.
struct DecompositionOptions {
  double tolerance = 0.02;  // how far a part may stand away from the mesh, as a fraction of its extent
  int max_parts = 64;       // the most parts, even where the tolerance is then not met
};
// A compound of hulls that is nearly the solid inside a closed mesh, for moving bodies that are not convex. No point of
// a part is further from the solid than the tolerance (unless max_parts are not enough), no point of the solid further
// from all parts than a tenth of it, and parts overlap by less than half of it. The extent is the longest side of the
// bounding box. Throws for a mesh that is open or inside out. Takes seconds for 10⁴ triangles: do it once, not at
// every start.
Compound3 convex_decomposition(const Mesh& mesh, const DecompositionOptions& options = {});
// The corners of the convex hull of any planar point set, counter-clockwise, none on the line of its
// neighbours.
std::vector<Vec2> convex_outline(std::span<const Vec2> points);
// An outline that need not be convex, as convex parts: Polygons in the frame of the outline, whose areas add up
// to its own. Its corners are listed in order, either way round. At most 2r + 1 parts for r reflex corners. Throws
// for an outline that crosses or touches itself, or repeats a corner, and names the place.
Compound2 convex_decomposition(std::span<const Vec2> outline);

}  // namespace cairn

#include <cairn/shape_fields.h>
