#include <cairn/world.h>
#include <gtest/gtest.h>

#include "instruction_sets.h"

namespace cairn {
namespace {

#ifdef CAIRN_X86_64_KERNELS

// The compiler's run-time library knows the processor and the operating system by code of its own.
TEST(Cpu, best_set_is_what_the_compilers_library_says) {
  InstructionSet best = InstructionSet::scalar;
  if (__builtin_cpu_supports("sse3") && __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.1") &&
      __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt")) {
    best = InstructionSet::x86_64_v2;
    if (__builtin_cpu_supports("avx") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")) {
      best = InstructionSet::x86_64_v3;
      if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
          __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
          __builtin_cpu_supports("avx512vl"))
        best = InstructionSet::x86_64_v4;
    }
  }
  while (best > InstructionSet::scalar && !is_built(best)) best = InstructionSet(int(best) - 1);
  EXPECT_EQ(best_instruction_set(), best) << name_of(best_instruction_set()) << ", not " << name_of(best);
}

#else

TEST(Cpu, other_machines_have_the_scalar_set_only) {
  EXPECT_EQ(best_instruction_set(), InstructionSet::scalar);
}

#endif

}  // namespace
}  // namespace cairn
