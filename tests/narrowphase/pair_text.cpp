// C++ text of pairs: what is pasted into a regression test.
#include <cstdio>

#include "narrowphase/random_pairs.h"

namespace cairn::test {
namespace {

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}
std::string vector(const Vec2& v) { return "{" + number(v.x) + ", " + number(v.y) + "}"; }
std::string vector(const Vec3& v) {
  return "{" + number(v.x) + ", " + number(v.y) + ", " + number(v.z) + "}";
}
template <class V>
std::string list(const std::vector<V>& points) {
  std::string text = "{{";
  for (const V& p : points) text += (text.size() > 2 ? ", " : "") + vector(p);
  return text + "}}";
}

struct Describe {
  std::string operator()(const Circle* s) const { return "Circle{" + number(s->radius) + "}"; }
  std::string operator()(const Box2* s) const { return "Box2{" + vector(s->half) + "}"; }
  std::string operator()(const Capsule2* s) const {
    return "Capsule2{" + number(s->radius) + ", " + number(s->half_length) + "}";
  }
  std::string operator()(const ConvexPolygon* s) const { return "Polygon" + list(s->points); }
  std::string operator()(const Segment* s) const {
    return "Segment{" + vector(s->a) + ", " + vector(s->b) + "}";
  }
  std::string operator()(const Sphere* s) const { return "Sphere{" + number(s->radius) + "}"; }
  std::string operator()(const Box3* s) const { return "Box3{" + vector(s->half) + "}"; }
  std::string operator()(const Capsule3* s) const {
    return "Capsule3{" + number(s->radius) + ", " + number(s->half_length) + "}";
  }
  std::string operator()(const Cylinder* s) const {
    return "Cylinder{" + number(s->radius) + ", " + number(s->half_height) + "}";
  }
  std::string operator()(const Cone* s) const {
    return "Cone{" + number(s->radius) + ", " + number(s->half_height) + "}";
  }
  std::string operator()(const Polyhedron* s) const {
    std::string text = "Hull" + list(s->vertices);
    text.insert(text.size() - 1, ", 1e-13");
    return text;
  }
  std::string operator()(const Plane* s) const {
    return "Plane{" + vector(s->normal) + ", " + number(s->offset) + "}";
  }
  template <class Other>
  std::string operator()(const Other*) const {
    return "?";
  }
};

}  // namespace

std::string text_of(const Pair2& pair) {
  const Pose2& pose = pair.b_in_a;
  return std::string(pair.how) + "\n  a = " + std::visit(Describe{}, pair.a->piece) +
         "\n  b = " + std::visit(Describe{}, pair.b->piece) + "\n  b_in_a = Pose2{" + vector(pose.position) +
         ", {" + number(pose.rotation.c) + ", " + number(pose.rotation.s) +
         "}}\n  margin = " + number(pair.margin) +
         "\n  expected separation = " + number(double(pair.separation.value)) + " along " +
         vector(rounded(pair.separation.normal)) + "\n";
}

std::string text_of(const Pair3& pair) {
  const Pose3& pose = pair.b_in_a;
  return std::string(pair.how) + "\n  a = " + std::visit(Describe{}, pair.a->piece) +
         "\n  b = " + std::visit(Describe{}, pair.b->piece) + "\n  b_in_a = Pose3{" + vector(pose.position) +
         ", {" + number(pose.rotation.w) + ", " + number(pose.rotation.x) + ", " + number(pose.rotation.y) +
         ", " + number(pose.rotation.z) + "}}\n  margin = " + number(pair.margin) +
         "\n  expected separation = " + number(double(pair.separation.value)) + " along " +
         vector(rounded(pair.separation.normal)) + "\n";
}

}  // namespace cairn::test
