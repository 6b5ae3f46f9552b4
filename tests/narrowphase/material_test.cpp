#include <cairn/material.h>
#include <gtest/gtest.h>

namespace cairn {
namespace {

TEST(Material, combines_by_each_rule) {
  const auto friction = [](Combine rule) {
    const Material a{.static_friction = 0.4, .kinetic_friction = 0.1, .friction_combine = rule};
    const Material b{.static_friction = 0.9, .kinetic_friction = 0.4, .friction_combine = rule};
    EXPECT_EQ(combine(a, b), combine(b, a));
    return combine(a, b);
  };
  EXPECT_DOUBLE_EQ(friction(Combine::average).static_friction, 0.65);
  EXPECT_DOUBLE_EQ(friction(Combine::geometric_mean).static_friction, 0.6);
  EXPECT_DOUBLE_EQ(friction(Combine::geometric_mean).kinetic_friction, 0.2);
  EXPECT_DOUBLE_EQ(friction(Combine::minimum).static_friction, 0.4);
  EXPECT_DOUBLE_EQ(friction(Combine::product).kinetic_friction, 0.04);
  EXPECT_DOUBLE_EQ(friction(Combine::maximum).kinetic_friction, 0.4);
}

TEST(Material, friction_and_restitution_have_rules_of_their_own) {
  const Material a{.static_friction = 0.2,
                   .kinetic_friction = 0.2,
                   .restitution = 0.5,
                   .friction_combine = Combine::minimum,
                   .restitution_combine = Combine::average};
  const Material b{.static_friction = 0.8,
                   .kinetic_friction = 0.8,
                   .restitution = 1,
                   .friction_combine = Combine::average,
                   .restitution_combine = Combine::product};
  const Material c = combine(a, b);  // the rule further down the list wins
  EXPECT_DOUBLE_EQ(c.static_friction, 0.2);
  EXPECT_DOUBLE_EQ(c.restitution, 0.5);
}

TEST(Material, combining_never_makes_kinetic_friction_exceed_static) {
  for (const auto& [rule, name] : EnumNames<Combine>::table)
    for (double s : {0.0, 0.3, 1.0, 2.0})
      for (double k : {0.0, 0.5, 1.0})
        for (double t : {0.1, 0.9, 3.0}) {
          const Material a{.static_friction = s, .kinetic_friction = k * s, .friction_combine = rule};
          const Material b{.static_friction = t, .kinetic_friction = 0.7 * t, .friction_combine = rule};
          EXPECT_NO_THROW(check(combine(a, b))) << name;
        }
}

}  // namespace
}  // namespace cairn
