// The field tables of the shapes. Included by cairn/shape.h, which has the shapes themselves.
#pragma once

#include <cairn/shape.h>

namespace cairn {

// A list of three corner indices; checked against the number of vertices by its mesh.
template <>
inline constexpr bool detail::is_unchecked<Triangle> = true;

template <>
struct Fields<Sphere> {
  static constexpr std::string_view name = "Sphere";
  static constexpr auto table() {
    return std::tuple{
        field("radius", &Sphere::radius, "m", k_positive, "from the centre to the surface"),
    };
  }
};

template <>
struct Fields<Box3> {
  static constexpr std::string_view name = "Box3";
  static constexpr auto table() {
    return std::tuple{
        field("half", &Box3::half, "m", k_positive, "half the edge lengths"),
    };
  }
};

template <>
struct Fields<Capsule3> {
  static constexpr std::string_view name = "Capsule3";
  static constexpr auto table() {
    return std::tuple{
        field("radius", &Capsule3::radius, "m", k_positive, "of the round ends and the shaft"),
        field("half_length", &Capsule3::half_length, "m", k_positive,
              "half the distance between the centres of the ends, along z"),
    };
  }
};

template <>
struct Fields<Cylinder> {
  static constexpr std::string_view name = "Cylinder";
  static constexpr auto table() {
    return std::tuple{
        field("radius", &Cylinder::radius, "m", k_positive, "of the round section"),
        field("half_height", &Cylinder::half_height, "m", k_positive, "half the height, along z"),
    };
  }
};

template <>
struct Fields<Cone> {
  static constexpr std::string_view name = "Cone";
  static constexpr auto table() {
    return std::tuple{
        field("radius", &Cone::radius, "m", k_positive, "of the base"),
        field("half_height", &Cone::half_height, "m", k_positive, "half the height, along z, apex up"),
    };
  }
};

template <>
struct Fields<Hull> {
  static constexpr std::string_view name = "Hull";
  static constexpr auto table() {
    return std::tuple{
        field("points", &Hull::points, "m", k_any, "any points; their convex hull is the shape"),
        field("merge_tolerance", &Hull::merge_tolerance, "", Range{.lo = 0, .hi = 0.1},
              "faces whose corners lie within this fraction of the extent become one"),
    };
  }
  static void check(const Hull& shape, const Path& path);  // at least four points
};

template <>
struct Fields<Plane> {
  static constexpr std::string_view name = "Plane";
  static constexpr auto table() {
    return std::tuple{
        field("normal", &Plane::normal, "", k_any, "out of the solid half-space; any length but zero"),
        field("offset", &Plane::offset, "m", k_any, "of the surface from the origin, along the unit normal"),
    };
  }
  static void check(const Plane& shape, const Path& path);  // the normal is not zero
};

template <>
struct Fields<Mesh> {
  static constexpr std::string_view name = "Mesh";
  static constexpr auto table() {
    return std::tuple{
        field("vertices", &Mesh::vertices, "m", k_any, "corners of the triangles"),
        field("triangles", &Mesh::triangles, "", k_any,
              "three indices into vertices each, counter-clockwise from outside"),
    };
  }
  static void check(const Mesh& shape, const Path& path);  // indices in range
};

template <>
struct Fields<HeightField> {
  static constexpr std::string_view name = "HeightField";
  static constexpr auto table() {
    return std::tuple{
        field("columns", &HeightField::columns, "", Range{.lo = 2, .hi = 65536}, "samples along x"),
        field("rows", &HeightField::rows, "", Range{.lo = 2, .hi = 65536}, "samples along y"),
        field("spacing", &HeightField::spacing, "m", k_positive, "between samples, along x and y"),
        field("heights", &HeightField::heights, "m", k_any, "columns × rows heights, row after row"),
    };
  }
  static void check(const HeightField& shape, const Path& path);  // columns × rows heights
};

template <>
struct Fields<CompoundPart3> {
  static constexpr std::string_view name = "CompoundPart3";
  static constexpr auto table() {
    return std::tuple{
        field("shape", &CompoundPart3::shape, "", k_any, "what the part is"),
        field("position", &CompoundPart3::position, "m", k_any, "of the part in the compound"),
        field("rotation", &CompoundPart3::rotation, "", k_any, "of the part in the compound"),
    };
  }
};

template <>
struct Fields<Compound3> {
  static constexpr std::string_view name = "Compound3";
  static constexpr auto table() {
    return std::tuple{
        field("parts", &Compound3::parts, "", k_any, "shapes with their places"),
    };
  }
  static void check(const Compound3& shape, const Path& path);  // at least one part
};

template <>
struct Fields<Circle> {
  static constexpr std::string_view name = "Circle";
  static constexpr auto table() {
    return std::tuple{
        field("radius", &Circle::radius, "m", k_positive, "from the centre to the edge"),
    };
  }
};

template <>
struct Fields<Box2> {
  static constexpr std::string_view name = "Box2";
  static constexpr auto table() {
    return std::tuple{
        field("half", &Box2::half, "m", k_positive, "half the edge lengths"),
    };
  }
};

template <>
struct Fields<Capsule2> {
  static constexpr std::string_view name = "Capsule2";
  static constexpr auto table() {
    return std::tuple{
        field("radius", &Capsule2::radius, "m", k_positive, "of the round ends and the shaft"),
        field("half_length", &Capsule2::half_length, "m", k_positive,
              "half the distance between the centres of the ends, along y"),
    };
  }
};

template <>
struct Fields<Polygon> {
  static constexpr std::string_view name = "Polygon";
  static constexpr auto table() {
    return std::tuple{
        field("points", &Polygon::points, "m", k_any, "corners of a convex outline, in order"),
    };
  }
  static void check(const Polygon& shape, const Path& path);  // convex, in order
};

template <>
struct Fields<Segment> {
  static constexpr std::string_view name = "Segment";
  static constexpr auto table() {
    return std::tuple{
        field("a", &Segment::a, "m", k_any, "one end"),
        field("b", &Segment::b, "m", k_any, "the other end"),
    };
  }
  static void check(const Segment& shape, const Path& path);  // the ends differ
};

template <>
struct Fields<Chain> {
  static constexpr std::string_view name = "Chain";
  static constexpr auto table() {
    return std::tuple{
        field("points", &Chain::points, "m", k_any, "corners in order, solid on the right-hand side"),
        field("loop", &Chain::loop, "", k_any, "does the last point connect to the first?"),
    };
  }
  static void check(const Chain& shape, const Path& path);  // enough points, no zero segment
};

template <>
struct Fields<CompoundPart2> {
  static constexpr std::string_view name = "CompoundPart2";
  static constexpr auto table() {
    return std::tuple{
        field("shape", &CompoundPart2::shape, "", k_any, "what the part is"),
        field("position", &CompoundPart2::position, "m", k_any, "of the part in the compound"),
        field("rotation", &CompoundPart2::rotation, "", k_any, "of the part in the compound"),
    };
  }
};

template <>
struct Fields<Compound2> {
  static constexpr std::string_view name = "Compound2";
  static constexpr auto table() {
    return std::tuple{
        field("parts", &Compound2::parts, "", k_any, "shapes with their places"),
    };
  }
  static void check(const Compound2& shape, const Path& path);  // at least one part
};

template <>
struct Fields<DecompositionOptions> {
  static constexpr std::string_view name = "DecompositionOptions";
  static constexpr auto table() {
    return std::tuple{
        field("tolerance", &DecompositionOptions::tolerance, "", Range{.lo = 0.001, .hi = 0.5},
              "how far a part may stand away from the mesh, as a fraction of the mesh's extent"),
        field("max_parts", &DecompositionOptions::max_parts, "", Range{.lo = 1, .hi = 4096},
              "the most parts, even where the tolerance is then not met"),
    };
  }
};

}  // namespace cairn
