#include "narrowphase/random_shapes.h"

namespace cairn::test {
namespace {

// A factor for one measure of a shape: mostly of about 1, at times small, at times very small, at times just 1.
double proportion(Dice& dice) {
  switch (dice.below(6)) {
    case 0:
      return dice.power_of_ten(-3, 0);
    case 1:
      return 1e-3;
    case 2:
      return 1;
    default:
      return dice.uniform(0.3, 1);
  }
}

Polygon random_polygon(double size, Dice& dice) {
  const Vec2 scale{size, size * proportion(dice)};
  const std::size_t corners = 3 + dice.below(6);
  const bool regular = dice.chance(0.3);
  std::vector<Vec2> points;
  for (;;) {
    points.clear();
    const double start = dice.uniform(0, 6);
    for (std::size_t i = 0; i < corners; ++i) {
      const double angle = start + 2 * k_pi * (regular ? double(i) / double(corners) : dice.uniform(0, 1));
      points.push_back(scaled(scale, {std::cos(angle), std::sin(angle)}));
    }
    points = convex_outline(points);
    if (points.size() < 3) continue;
    double area = 0;
    for (std::size_t i = 0; i < points.size(); ++i) area += cross(points[i], points[(i + 1) % points.size()]);
    if (area > 0.05 * scale.x * scale.y) break;
  }
  const Pose2 pose{dice.chance(0.5) ? Vec2{} : 0.5 * size * dice.unit2(),
                   dice.chance(0.5) ? Rot2{} : dice.rotation2()};
  for (Vec2& p : points) p = to_world(pose, p);
  return {points};
}

// Corners on an ellipsoid, prisms, blocks and wedges: faces with three and more corners, parallel edges.
Hull random_hull(double size, Dice& dice) {
  const Vec3 scale{size, size * proportion(dice), size * proportion(dice)};
  std::vector<Vec3> points;
  const std::size_t corners = dice.chance(0.1) ? 9 + dice.below(8) : 4 + dice.below(4);
  switch (dice.below(4)) {
    case 0:
      for (double x : {-1., 1.})
        for (double y : {-1., 1.})
          for (double z : {-1., 1.}) points.push_back({x, y, z});
      break;
    case 1: {  // a prism or a pyramid
      const bool prism = dice.chance(0.6);
      const std::size_t sides = 3 + dice.below(3);
      for (std::size_t i = 0; i < sides; ++i) {
        const double angle = 2 * k_pi * double(i) / double(sides);
        points.push_back({std::cos(angle), std::sin(angle), -1});
        if (prism) points.push_back({std::cos(angle), std::sin(angle), 1});
      }
      if (!prism) points.push_back({0, 0, 1});
      break;
    }
    default: {
      for (std::size_t i = 0; i < corners; ++i) points.push_back(dice.unit3());
      if (corners == 4) points = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
      break;
    }
  }
  const Pose3 pose{dice.chance(0.5) ? Vec3{} : 0.5 * size * dice.unit3(),
                   dice.chance(0.5) ? Rot3{} : dice.rotation3()};
  for (Vec3& p : points) p = to_world(pose, scaled(scale, p));
  return {points, 1e-13};
}

double random_size(Dice& dice) {
  constexpr double k_exact[] = {1e-3, 1, 1e3};
  return dice.chance(0.5) ? k_exact[dice.below(3)] : dice.power_of_ten(-3, 3);
}

}  // namespace

const char* name_of(Kind2 kind) {
  constexpr const char* k_names[] = {"circle", "box", "capsule", "polygon", "segment"};
  return k_names[int(kind)];
}
const char* name_of(Kind3 kind) {
  constexpr const char* k_names[] = {"sphere", "box", "capsule", "cylinder", "cone", "hull", "plane"};
  return k_names[int(kind)];
}

Shape2 random_shape(Kind2 kind, double size, Dice& dice) {
  const double half = size / 2;
  switch (kind) {
    case Kind2::circle:
      return Circle{half};
    case Kind2::box: {
      const double thin = half * proportion(dice);
      return dice.chance(0.5) ? Box2{{half, thin}} : Box2{{thin, half}};
    }
    case Kind2::capsule:
      return dice.chance(0.7) ? Capsule2{half * proportion(dice), half}
                              : Capsule2{half, half * proportion(dice)};
    case Kind2::polygon:
      return random_polygon(half, dice);
    case Kind2::segment: {
      const Vec2 along = half * (dice.chance(0.3) ? Vec2{1, 0} : dice.unit2());
      const Vec2 middle = dice.chance(0.5) ? Vec2{} : half * dice.unit2();
      return Segment{middle - along, middle + along};
    }
  }
  return Circle{half};
}

Shape3 random_shape(Kind3 kind, double size, Dice& dice) {
  const double half = size / 2, thin = half * proportion(dice);
  switch (kind) {
    case Kind3::sphere:
      return Sphere{half};
    case Kind3::box: {
      const double third = half * proportion(dice);
      switch (dice.below(3)) {
        case 0:
          return Box3{{half, thin, third}};
        case 1:
          return Box3{{thin, half, third}};
        default:
          return Box3{{thin, third, half}};
      }
    }
    case Kind3::capsule:
      return dice.chance(0.7) ? Capsule3{thin, half} : Capsule3{half, thin};
    case Kind3::cylinder:
      return dice.chance(0.5) ? Cylinder{thin, half} : Cylinder{half, thin};
    case Kind3::cone:
      return dice.chance(0.5) ? Cone{thin, half} : Cone{half, thin};
    case Kind3::hull:
      return random_hull(half, dice);
    case Kind3::plane:
      return Plane{dice.chance(0.3) ? Vec3{0, 0, 1} : dice.unit3(),
                   dice.chance(0.3) ? 0 : dice.sign() * half};
  }
  return Sphere{half};
}

std::deque<Sample2> samples_of(Kind2 kind, int count, Dice& dice) {
  std::deque<Sample2> samples;
  for (int i = 0; i < count; ++i) {
    Sample2& sample =
        samples.emplace_back(Sample2{build(random_shape(kind, random_size(dice), dice)), {}, {}});
    sample.piece = pieces_of(sample.geometry).front().piece;
    sample.body = body_of(sample.piece);
  }
  return samples;
}

std::deque<Sample3> samples_of(Kind3 kind, int count, Dice& dice) {
  std::deque<Sample3> samples;
  for (int i = 0; i < count; ++i) {
    Sample3& sample =
        samples.emplace_back(Sample3{build(random_shape(kind, random_size(dice), dice)), {}, {}});
    sample.piece = pieces_of(sample.geometry).front().piece;
    sample.body = body_of(sample.piece);
  }
  return samples;
}

}  // namespace cairn::test
