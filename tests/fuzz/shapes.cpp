#include "fuzz/shapes.h"

namespace cairn::fuzz {

Shape2 shape2(Bytes& bytes, int depth) {
  switch (bytes.below(depth > 0 ? 6 : 7)) {
    case 0:
      return Circle{bytes.length()};
    case 1: {
      const double x = bytes.length();
      return Box2{{x, bytes.length()}};
    }
    case 2: {
      const double radius = bytes.length();
      return Capsule2{radius, bytes.length()};
    }
    case 3: {
      std::vector<Vec2> points;
      for (std::size_t i = 3 + bytes.below(8); i > 0; --i) points.push_back(bytes.vector2());
      return Polygon{bytes.below(8) == 0 ? points : convex_outline(points)};
    }
    case 4: {
      const Vec2 a = bytes.vector2();
      return Segment{a, bytes.vector2()};
    }
    case 5: {
      Chain chain;
      chain.loop = bytes.below(2) == 1;
      for (std::size_t i = 2 + bytes.below(10); i > 0; --i) chain.points.push_back(bytes.vector2());
      return chain;
    }
    default: {
      Compound2 compound;
      for (std::size_t i = 1 + bytes.below(3); i > 0; --i) {
        const Shape2 part = shape2(bytes, depth + 1);
        const Vec2 position = bytes.vector2();
        compound.parts.push_back({part, position, bytes.rotation2()});
      }
      return compound;
    }
  }
}

Mesh mesh(Bytes& bytes) {
  Mesh mesh;
  for (std::size_t i = 3 + bytes.below(24); i > 0; --i) mesh.vertices.push_back(bytes.vector3());
  for (std::size_t i = 1 + bytes.below(40); i > 0; --i) {
    Triangle triangle;
    for (std::uint32_t& corner : triangle) {
      const std::uint8_t byte = bytes.byte();  // at times an index too high
      corner = byte == 255 ? std::uint32_t(mesh.vertices.size()) : std::uint32_t(byte % mesh.vertices.size());
    }
    mesh.triangles.push_back(triangle);
  }
  return mesh;
}

HeightField height_field(Bytes& bytes) {
  HeightField field;
  field.columns = std::uint32_t(2 + bytes.below(5));
  field.rows = std::uint32_t(2 + bytes.below(5));
  field.spacing.x = bytes.length();
  field.spacing.y = bytes.length();
  for (std::uint32_t i = 0; i < field.columns * field.rows; ++i) field.heights.push_back(bytes.number());
  return field;
}

Shape3 shape3(Bytes& bytes, int depth) {
  switch (bytes.below(depth > 0 ? 9 : 10)) {
    case 0:
      return Sphere{bytes.length()};
    case 1: {
      const double x = bytes.length(), y = bytes.length();
      return Box3{{x, y, bytes.length()}};
    }
    case 2: {
      const double radius = bytes.length();
      return Capsule3{radius, bytes.length()};
    }
    case 3: {
      const double radius = bytes.length();
      return Cylinder{radius, bytes.length()};
    }
    case 4: {
      const double radius = bytes.length();
      return Cone{radius, bytes.length()};
    }
    case 5: {
      Hull hull;
      for (std::size_t i = 4 + bytes.below(16); i > 0; --i) hull.points.push_back(bytes.vector3());
      return hull;
    }
    case 6: {
      const Vec3 normal = bytes.vector3();
      return Plane{normal, bytes.number()};
    }
    case 7:
      return mesh(bytes);
    case 8:
      return height_field(bytes);
    default: {
      Compound3 compound;
      for (std::size_t i = 1 + bytes.below(3); i > 0; --i) {
        const Shape3 part = shape3(bytes, depth + 1);
        const Vec3 position = bytes.vector3();
        compound.parts.push_back({part, position, bytes.rotation3()});
      }
      return compound;
    }
  }
}

}  // namespace cairn::fuzz
