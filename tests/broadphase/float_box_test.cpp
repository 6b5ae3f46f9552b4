#include "broadphase/float_box.h"

#include <gtest/gtest.h>

#include "broadphase/boxes.h"

namespace cairn {
namespace {

using namespace boxes;

std::vector<double> awkward_numbers() {
  std::vector<double> numbers{0,     -0.0, 1,   -1,   1e-320, 1e-46,  1e-45, 1e-40,
                              1e-38, 0.1,  1e6, 1e30, 3.4e38, 3.5e38, 1e300, k_inf};
  Random random(1);
  for (int i = 0; i < 20000; ++i) numbers.push_back(std::pow(10.0, random.uniform(-50, 45)));
  const std::size_t n = numbers.size();
  for (std::size_t i = 0; i < n; ++i) numbers.push_back(-numbers[i]);
  for (std::size_t i = 0; i < n; ++i) numbers.push_back(double(float(numbers[i])));
  return numbers;
}

TEST(FloatBox, rounds_to_the_nearest_float_on_the_far_side) {
  for (const double x : awkward_numbers()) {
    const float up = rounded_up(x), down = rounded_down(x);
    ASSERT_LE(x, double(up));
    ASSERT_GE(x, double(down));
    // No float lies between: C's nextafter, which has nothing in common with the code, says what is next.
    if (up > -k_inf) {
      ASSERT_LT(double(std::nextafterf(up, -float(k_inf))), x);
    }
    if (down < k_inf) {
      ASSERT_GT(double(std::nextafterf(down, float(k_inf))), x);
    }
  }
}

TEST(FloatBox, answers_questions_in_doubles_exactly) {
  Random random(2);
  int close = 0;
  for (int i = 0; i < 200000; ++i) {
    const double origin = i % 2 ? 1e6 : 0;
    const FloatBox<Dim2> stored = rounded_outwards(random_box<Dim2>(random, {origin, origin}, 1, 0.01, 1));
    const Bounds2 question = random_box<Dim2>(random, {origin, origin}, 1, 0.01, 1);
    const Bounds2 same{{double(stored.lo[0]), double(stored.lo[1])},
                       {double(stored.hi[0]), double(stored.hi[1])}};
    ASSERT_EQ(overlap(stored, rounded_inwards(question)), meet(same, question));
    close += overlap(stored, rounded_outwards(question)) != meet(same, question);
  }
  EXPECT_GT(close, 50) << "the other rounding must make a difference here";
}

TEST(FloatBox, is_larger_than_its_box_and_contains_it) {
  Random random(3);
  for (int i = 0; i < 10000; ++i) {
    Bounds3 box = random_box<Dim3>(random, all<Vec3>(i % 2 ? 1e6 : 0), 100, 1e-3, 10);
    ASSERT_TRUE(contains(rounded_outwards(box), box));
    box.hi.y += 0.2 + 0.1 * (box.hi.y - box.lo.y);  // more than a float's step at 10⁶
    ASSERT_FALSE(contains(rounded_outwards(Bounds3{box.lo, box.hi - Vec3{0, 0.2, 0}}), box));
  }
}

// Points of the boxes, reached exactly or nearly so: no ray that meets a box may be told that it does not.
TEST(FloatBox, rays_never_miss_a_box_that_they_touch) {
  Random random(4);
  for (int i = 0; i < 200000; ++i) {
    const Vec3 origin = all<Vec3>(i % 3 == 0 ? 1e6 : 0);
    const Bounds3 box = random_box<Dim3>(random, origin, 10, 1e-3, 10);
    const FloatBox<Dim3> stored = rounded_outwards(box);
    // A point on the surface of the stored box, often a corner.
    Vec3 target;
    for (std::size_t k = 0; k < 3; ++k)
      coordinate(target, k) = random.chance(0.8) ? double(random.chance(0.5) ? stored.lo[k] : stored.hi[k])
                                                 : random.uniform(double(stored.lo[k]), double(stored.hi[k]));
    Ray3 ray{origin + random.vector<Vec3>(-30, 30), {}};
    if (random.chance(0.2)) ray.origin.x = target.x;
    const double times = random.uniform(1.5, 3);  // rounds differently on each axis
    ray.translation = times * (target - ray.origin);
    const BoxRay<Dim3> prepared(ray, {});
    const double fraction = prepared.enters(stored, 1);
    ASSERT_LE(fraction, 1 / times + 1e-12);
    ASSERT_GE(fraction, 0);
    if (fraction > 1e-9) {
      ASSERT_EQ(prepared.enters(stored, 0.4 * fraction), k_inf) << "it is not there yet";
    }
    // Made larger by half the way back, the box is met earlier.
    const double half = 0.1 * length(ray.translation);
    ASSERT_LE(BoxRay<Dim3>(ray, all<Vec3>(half)).enters(stored, 1), fraction);
  }
}

TEST(FloatBox, rays_miss_what_they_do_not_meet) {
  const FloatBox<Dim2> box = rounded_outwards(Bounds2{{0, 0}, {1, 1}});
  const auto enters = [&](const Vec2& from, const Vec2& way, const Vec2& half = {}) {
    return BoxRay<Dim2>({from, way}, half).enters(box, 1);
  };
  EXPECT_NEAR(enters({-1, 0.5}, {2, 0}), 0.5, 1e-14);
  EXPECT_EQ(enters({-1, 0.5}, {0.9, 0}), k_inf);
  EXPECT_EQ(enters({-1, 1.5}, {2, 0}), k_inf);
  EXPECT_NEAR(enters({-1, 1.5}, {2, 0}, {0.5, 0.5}), 0.25, 1e-14);
  EXPECT_EQ(enters({0.5, 0.5}, {9, 9}), 0);
  EXPECT_EQ(enters({2, 0.5}, {1, 0}), k_inf);
  const FloatBox<Dim2> floor = rounded_outwards(Bounds2{{-k_inf, -k_inf}, {k_inf, 0}});
  EXPECT_NEAR(BoxRay<Dim2>({{3, 1}, {0, -4}}, {}).enters(floor, 1), 0.25, 1e-14);
  EXPECT_EQ(BoxRay<Dim2>({{3, 1}, {5, 0}}, {}).enters(floor, 1), k_inf);
}

}  // namespace
}  // namespace cairn
