// Every tolerance is relative: a pair made larger or smaller by a power of two has the same contacts, bit for bit.
#include <gtest/gtest.h>

#include "narrowphase/slow_planar.h"

namespace cairn {
namespace {

using namespace planar_test;

Shape2 scaled_shape(const Shape2& shape, double s) {
  Shape2 result = shape;
  if (auto* c = std::get_if<Circle>(&result)) c->radius *= s;
  if (auto* b = std::get_if<Box2>(&result)) b->half *= s;
  if (auto* c = std::get_if<Capsule2>(&result)) *c = {c->radius * s, c->half_length * s};
  if (auto* e = std::get_if<Segment>(&result)) *e = {e->a * s, e->b * s};
  if (auto* p = std::get_if<Polygon>(&result))
    for (Vec2& point : p->points) point *= s;
  if (auto* c = std::get_if<Chain>(&result))
    for (Vec2& point : c->points) point *= s;
  return result;
}

void expect_scaled(const ManifoldList<Dim2>& list, const ManifoldList<Dim2>& larger, double s) {
  ASSERT_EQ(list.size(), larger.size());
  for (std::size_t m = 0; m < list.size(); ++m) {
    ASSERT_EQ(list[m].count, larger[m].count);
    EXPECT_EQ(list[m].normal, larger[m].normal);
    EXPECT_EQ(list[m].element, larger[m].element);
    for (int k = 0; k < list[m].count; ++k) {
      EXPECT_EQ(list[m].points[k].point * s, larger[m].points[k].point);
      EXPECT_EQ(list[m].points[k].separation * s, larger[m].points[k].separation);
      EXPECT_EQ(list[m].points[k].features, larger[m].points[k].features);
    }
  }
}

constexpr double k_scales[] = {0x1p-20, 0x1p-10, 0x1p10, 0x1p20};

TEST(Scale2, convex_pairs_are_the_same_at_every_size) {
  Random random(21);
  for (int i = 0; i < 3000; ++i) {
    const Pair pair = random_pair(random, i % k_kinds, i / k_kinds % k_kinds);
    const double margin = 0.05 * double(size_of(body_of(pair.a, {}))), s = k_scales[i % 4];
    const Pose2 pose{pair.b_in_a.position * s, pair.b_in_a.rotation};
    expect_scaled(manifolds(pair.a, pair.b, pair.b_in_a, margin),
                  manifolds(scaled_shape(pair.a, s), scaled_shape(pair.b, s), pose, margin * s), s);
  }
}

TEST(Scale2, chains_are_the_same_at_every_size) {
  Random random(22);
  int met = 0;
  for (int i = 0; i < 2000; ++i) {
    Chain chain{{{0, 0}}};
    for (int k = 0; k < 8; ++k)
      chain.points.push_back(chain.points.back() + Vec2{uniform(random, 0.1, 1), uniform(random, -0.5, 0.5)});
    const Shape2 piece = random_shape(random, i % k_kinds, 1);
    const double angle = uniform(random, -3, 3), s = k_scales[i % 4];
    const Pose2 pose{{uniform(random, 0, 4), uniform(random, -1, 2)}, Rot2::from_angle(angle)};
    const auto list = manifolds(chain, piece, pose, 0.1);
    met += !list.empty();
    expect_scaled(list,
                  manifolds(scaled_shape(chain, s), scaled_shape(piece, s),
                            {pose.position * s, pose.rotation}, 0.1 * s),
                  s);
  }
  EXPECT_GT(met, 200);
}

}  // namespace
}  // namespace cairn
