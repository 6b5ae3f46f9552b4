// From a fuzzer's bytes to numbers, in a way that makes coincidences likely: equal, collinear and nearly equal
// values come from few bytes.
#pragma once

#include <cairn/math.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace cairn::fuzz {

// Ends the process, which is how a fuzzer learns of a defect.
[[noreturn]] inline void fail(const std::string& defect) {
  std::fprintf(stderr, "defect: %s\n", defect.c_str());
  std::abort();
}

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  bool empty() const { return at_ == size_; }
  std::uint8_t byte() { return empty() ? 0 : data_[at_++]; }
  std::size_t below(std::size_t n) { return byte() % n; }

  // On a coarse lattice within ±4; some off it by up to a thousandth, or by a part of 10⁻¹⁶ or more; some scaled by
  // 10⁻³ to 10³.
  double number() {
    const int kind = byte();
    const double lattice = (kind % 65 - 32) / 8.;
    switch (kind / 65) {
      case 0:
      case 1:
        return lattice;
      case 2:
        return lattice + (byte() - 128) * std::pow(10., -double(byte() % 15) - 3);
      default:
        return (byte() - 128) / 32. * std::pow(10., double(byte() % 7) - 3);
    }
  }
  // Or any bits at all: huge, tiny, infinite, not a number.
  double any_number() {
    if (byte() != 255) return number();
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8 | byte();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  // A length, at least 1e-4.
  double length() { return larger(absolute(number()), 1e-4); }

  // Braces: in this order, other than the arguments of a call.
  Vec2 vector2() { return Vec2{number(), number()}; }
  Vec3 vector3() { return Vec3{number(), number(), number()}; }
  Rot2 rotation2() {
    const Rot2 r{number(), number()};
    return norm(r) > 1e-3 ? normalized(r) : Rot2{};
  }
  Rot3 rotation3() {
    const Rot3 r{number(), number(), number(), number()};
    return norm(r) > 1e-3 ? normalized(r) : Rot3{};
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

}  // namespace cairn::fuzz
