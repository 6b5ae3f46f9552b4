#include <cairn/time_function.h>
#include <gtest/gtest.h>

#include <cmath>

namespace cairn {
namespace {

TEST(TimeFunction, has_the_values_of_its_terms) {
  EXPECT_EQ(TimeFunction{}.value(3), 0);
  EXPECT_EQ(TimeFunction(2).value(3), 2);
  const TimeFunction ramp = RampTerm{.rate = 2, .start = 1, .end = 3};
  EXPECT_EQ(ramp.value(0), 0);
  EXPECT_EQ(ramp.value(2), 2);
  EXPECT_EQ(ramp.value(9), 4);
  const TimeFunction sine = SineTerm{.amplitude = 3, .period = 0.7, .phase = 0.2};
  for (const double t : {0., 0.1, 5., -3.})
    EXPECT_NEAR(sine.value(t), 3 * std::sin(2 * k_pi * t / 0.7 + 0.2), 1e-14);
  const TimeFunction step = SmoothStepTerm{.before = 1, .after = 5, .start = 2, .duration = 4};
  EXPECT_EQ(step.value(1), 1);
  EXPECT_EQ(step.value(4), 3);
  EXPECT_EQ(step.value(3), 1 + 4 * (10. / 64 - 15. / 256 + 6. / 1024));
  EXPECT_EQ(step.value(7), 5);
  const TimeFunction table = TableTerm{.times = {1, 2, 4}, .values = {0, 3, -1}};
  EXPECT_EQ(table.value(0), 0);
  EXPECT_EQ(table.value(1.5), 1.5);
  EXPECT_EQ(table.value(2), 3);
  EXPECT_EQ(table.value(3), 1);
  EXPECT_EQ(table.value(5), -1);
  const TimeFunction sum = std::vector<TimeTerm>{ConstantTerm{1}, RampTerm{.rate = 2}, SineTerm{.period = 4}};
  EXPECT_NEAR(sum.value(1), 1 + 2 + 1, 1e-15);
}

TEST(TimeFunction, rate_is_the_slope_of_its_value) {
  const TimeFunction sum = std::vector<TimeTerm>{
      ConstantTerm{7},
      RampTerm{.rate = -2, .start = 0.31, .end = 2.71},
      SineTerm{.amplitude = 1.5, .period = 1.3, .phase = 1},
      SmoothStepTerm{.before = 2, .after = -1, .start = 0.52, .duration = 1.9},
      TableTerm{.times = {0.11, 0.93, 2.21}, .values = {1, -2, 0.5}},
  };
  const double e = 1e-5;
  for (int i = -10; i < 40; ++i) {
    const double t = 0.1 * i;  // no kink is near
    EXPECT_NEAR(sum.rate(t), (sum.value(t + e) - sum.value(t - e)) / (2 * e), 1e-8) << t;
  }
}

TEST(TimeFunction, rate_at_a_kink_is_that_of_what_follows) {
  EXPECT_EQ(TimeFunction(RampTerm{.rate = 2, .start = 1, .end = 3}).rate(1), 2);
  EXPECT_EQ(TimeFunction(RampTerm{.rate = 2, .start = 1, .end = 3}).rate(3), 0);
  EXPECT_EQ(TimeFunction(TableTerm{.times = {0, 1, 2}, .values = {0, 1, 3}}).rate(1), 2);
}

std::string complaint(const TimeFunction& f) {
  try {
    check(f);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}
TEST(TimeFunction, refuses_what_makes_no_sense) {
  EXPECT_EQ(complaint(SineTerm{}), "");
  EXPECT_EQ(complaint(SineTerm{.period = -1}),
            "TimeFunction.terms[0].period = -1 s: must be greater than 0 and finite");
  EXPECT_EQ(complaint(TableTerm{}), "TimeFunction.terms[0].times = []: must have at least one point");
  EXPECT_EQ(complaint(TableTerm{.times = {0, 1}, .values = {1}}),
            "TimeFunction.terms[0].values = 1 numbers: must be as many as times, which are 2");
  EXPECT_EQ(complaint(TableTerm{.times = {0, 2, 2}, .values = {1, 2, 3}}),
            "TimeFunction.terms[0].times[2] = 2 s: must be later than the time before it, 2 s");
  EXPECT_EQ(complaint(TableTerm{.times = {0, HUGE_VAL}, .values = {1, 2}}),
            "TimeFunction.terms[0].times[1] = inf s: must be finite");
  EXPECT_EQ(complaint(RampTerm{.start = 2, .end = 1}),
            "TimeFunction.terms[0].end = 1 s: must not be before start, which is 2 s");
  EXPECT_EQ(complaint(SmoothStepTerm{.duration = 0}),
            "TimeFunction.terms[0].duration = 0 s: must be greater than 0 and finite");
  EXPECT_EQ(complaint(std::numeric_limits<double>::quiet_NaN()),
            "TimeFunction.terms[0].value = nan: must be finite");
}

TEST(TimeFunction, is_a_value) {
  EXPECT_EQ(TimeFunction(2), TimeFunction(ConstantTerm{2}));
  EXPECT_NE(TimeFunction(2), TimeFunction(RampTerm{2}));
}

}  // namespace
}  // namespace cairn
