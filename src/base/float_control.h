// The processor's floating-point mode during a step: round to nearest, denormals kept.
//
// Loading a library that was linked with -ffast-math switches denormals off for the whole process, and a host
// program may change the rounding. Every thread that computes for Cairn holds one of these.
#pragma once

#include <cstdint>

namespace cairn {

class FloatControl {
 public:
  FloatControl();
  ~FloatControl();
  FloatControl(const FloatControl&) = delete;
  FloatControl& operator=(const FloatControl&) = delete;

 private:
  std::uint64_t before_;
};

}  // namespace cairn
