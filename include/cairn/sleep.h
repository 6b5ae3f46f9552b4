// Bodies that have come to rest, and what becomes of them.
//
// Off unless a world asks for it: whoever sleeps stops a little sooner than the laws of motion say.
#pragma once

#include <cairn/field.h>

namespace cairn {

enum class SleepMode {
  off,  // everything moves always
  on,   // bodies that hang together and have all been slow for a while stand still, and cost nothing
  freeze,  // each body that has been slow for a while is not moved; its velocity is solved for as ever (Lund §4.3.1)
};

// When bodies fall asleep: when they have been slower than both speeds for the time.
struct SleepSettings {
  SleepMode mode = SleepMode::off;
  double linear_speed = 0.05;   // [m/s] of the centre of mass
  double angular_speed = 0.05;  // [rad/s]
  double time = 0.5;            // [s]
};

// How one body differs from what its world says.
struct BodySleep {
  bool allowed = true;                    // if not, neither does whatever hangs together with it
  bool asleep = false;                    // to begin with; it must not have a velocity
  std::optional<double> linear_speed{};   // [m/s] the world's if not given
  std::optional<double> angular_speed{};  // [rad/s] likewise
  std::optional<double> time{};           // [s] likewise
};

// -------------------------------------------------------------------------------------------------- fields

template <>
struct EnumNames<SleepMode> {
  static constexpr std::array<std::pair<SleepMode, std::string_view>, 3> table{
      {{SleepMode::off, "off"}, {SleepMode::on, "on"}, {SleepMode::freeze, "freeze"}}};
};
template <>
struct Fields<SleepSettings> {
  using T = SleepSettings;
  static constexpr std::string_view name = "SleepSettings";
  static constexpr auto table() {
    return std::tuple{
        field("mode", &T::mode, "", k_any, "off, on, or only freeze positions"),
        field("linear_speed", &T::linear_speed, "m/s", k_non_negative, "slower bodies may sleep"),
        field("angular_speed", &T::angular_speed, "rad/s", k_non_negative, "slower bodies may sleep"),
        field("time", &T::time, "s", k_non_negative, "for which they must have been slow"),
    };
  }
};
template <>
struct Fields<BodySleep> {
  using T = BodySleep;
  static constexpr std::string_view name = "BodySleep";
  static constexpr auto table() {
    return std::tuple{
        field("allowed", &T::allowed, "", k_any, "may it, and what hangs together with it, sleep?"),
        field("asleep", &T::asleep, "", k_any, "to begin with"),
        field("linear_speed", &T::linear_speed, "m/s", k_non_negative, "instead of the world's"),
        field("angular_speed", &T::angular_speed, "rad/s", k_non_negative, "instead of the world's"),
        field("time", &T::time, "s", k_non_negative, "instead of the world's"),
    };
  }
  static void check(const T& sleep, const Path& path) {
    if (sleep.asleep && !sleep.allowed)
      detail::refuse(path / "asleep", "true", "a body that may not sleep is awake: leave out one of them");
  }
};

}  // namespace cairn
