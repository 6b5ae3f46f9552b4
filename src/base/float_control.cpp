#include "base/float_control.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
namespace cairn {
FloatControl::FloatControl() : before_(_mm_getcsr()) {
  constexpr unsigned k_standard = 0x1f80;  // all exceptions masked, nearest, no flush to zero
  if ((before_ & ~0x3fu) != k_standard) _mm_setcsr(k_standard);
}
FloatControl::~FloatControl() {
  if ((before_ & ~0x3fu) != (_mm_getcsr() & ~0x3fu)) _mm_setcsr(unsigned(before_));
}
}  // namespace cairn
#elif defined(__aarch64__)
namespace cairn {
namespace {
std::uint64_t get_control() {
  std::uint64_t fpcr;
  asm volatile("mrs %0, fpcr" : "=r"(fpcr));
  return fpcr;
}
void set_control(std::uint64_t fpcr) { asm volatile("msr fpcr, %0" ::"r"(fpcr)); }
}  // namespace
FloatControl::FloatControl() : before_(get_control()) {
  if (before_ != 0) set_control(0);
}
FloatControl::~FloatControl() {
  if (before_ != 0) set_control(before_);
}
}  // namespace cairn
#else
#error "teach FloatControl this processor's floating-point control register"
#endif
