// Numbers that change with time, as values: what drives follow can be compared, stored and read back.
//
// A TimeFunction is the sum of its terms; without terms it is 0. A number converts to one, and so does a term:
//
//   VelocityDrive{.speed = 2}
//   ServoDrive{.target = SineTerm{.amplitude = 0.3, .period = 2}}
//   RheonomicDrive{.target = {{ConstantTerm{.value = 1}, RampTerm{.rate = 0.5, .start = 2, .end = 4}}}}
#pragma once

#include <cairn/field.h>

namespace cairn {

struct ConstantTerm {
  double value = 0;
  bool operator==(const ConstantTerm&) const = default;
};

// 0 until `start`, then growing at `rate` until `end`, then what it has become.
struct RampTerm {
  double rate = 1;                                       // per second
  double start = 0;                                      // [s]
  double end = std::numeric_limits<double>::infinity();  // [s]
  bool operator==(const RampTerm&) const = default;
};

// amplitude · sin(2πt/period + phase)
struct SineTerm {
  double amplitude = 1;
  double period = 1;  // [s]
  double phase = 0;   // [rad]
  bool operator==(const SineTerm&) const = default;
};

// From `before` to `after` between `start` and `start` + `duration`, by 10s³ − 15s⁴ + 6s⁵: rate and acceleration
// are continuous, and 0 at both ends.
struct SmoothStepTerm {
  double before = 0, after = 1;
  double start = 0;     // [s]
  double duration = 1;  // [s]
  bool operator==(const SmoothStepTerm&) const = default;
};

// Straight lines between the points (times[i], values[i]); constant before the first and after the last.
struct TableTerm {
  std::vector<double> times{};  // [s] ascending
  std::vector<double> values{};
  bool operator==(const TableTerm&) const = default;
};

using TimeTerm = std::variant<ConstantTerm, RampTerm, SineTerm, SmoothStepTerm, TableTerm>;

struct TimeFunction {
  TimeFunction() = default;
  TimeFunction(double value) : terms{ConstantTerm{value}} {}
  TimeFunction(ConstantTerm term) : terms{term} {}
  TimeFunction(RampTerm term) : terms{term} {}
  TimeFunction(SineTerm term) : terms{term} {}
  TimeFunction(SmoothStepTerm term) : terms{term} {}
  TimeFunction(TableTerm term) : terms{std::move(term)} {}
  TimeFunction(std::vector<TimeTerm> sum) : terms(std::move(sum)) {}

  double value(double t) const;  // at t seconds
  double rate(double t) const;   // its derivative; where it has a kink, that of what follows
  bool operator==(const TimeFunction&) const = default;

  std::vector<TimeTerm> terms{};  // whose sum it is
};

// -------------------------------------------------------------------------------------------------- fields

template <>
struct Fields<ConstantTerm> {
  static constexpr std::string_view name = "ConstantTerm";
  static constexpr auto table() {
    return std::tuple{field("value", &ConstantTerm::value, "", k_any, "at all times")};
  }
};
template <>
struct Fields<RampTerm> {
  using T = RampTerm;
  static constexpr std::string_view name = "RampTerm";
  static constexpr auto table() {
    return std::tuple{
        field("rate", &T::rate, "1/s", k_any, "growth per second between start and end"),
        field("start", &T::start, "s", k_any, "when it leaves 0"),
        field("end", &T::end, "s", Range{.infinite = true}, "when it stops growing"),
    };
  }
  static void check(const RampTerm& term, const Path& path);  // start is not after end
};
template <>
struct Fields<SineTerm> {
  using T = SineTerm;
  static constexpr std::string_view name = "SineTerm";
  static constexpr auto table() {
    return std::tuple{
        field("amplitude", &T::amplitude, "", k_any, "largest value"),
        field("period", &T::period, "s", k_positive, "after which it repeats"),
        field("phase", &T::phase, "rad", k_any, "of the sine at time 0"),
    };
  }
};
template <>
struct Fields<SmoothStepTerm> {
  using T = SmoothStepTerm;
  static constexpr std::string_view name = "SmoothStepTerm";
  static constexpr auto table() {
    return std::tuple{
        field("before", &T::before, "", k_any, "value until start"),
        field("after", &T::after, "", k_any, "value from start + duration on"),
        field("start", &T::start, "s", k_any, "when it leaves the first value"),
        field("duration", &T::duration, "s", k_positive, "of the change"),
    };
  }
};
template <>
struct Fields<TableTerm> {
  using T = TableTerm;
  static constexpr std::string_view name = "TableTerm";
  static constexpr auto table() {
    return std::tuple{
        field("times", &T::times, "s", k_any, "of the points, strictly ascending"),
        field("values", &T::values, "", k_any, "at those times"),
    };
  }
  static void check(const TableTerm& term, const Path& path);  // as many values as times, which ascend
};
template <>
struct Fields<TimeFunction> {
  static constexpr std::string_view name = "TimeFunction";
  static constexpr auto table() {
    return std::tuple{field("terms", &TimeFunction::terms, "", k_any, "whose sum it is; none: 0")};
  }
};

}  // namespace cairn
