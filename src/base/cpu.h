// Which instruction sets kernels are compiled for, and which of them this machine can run.
//
// Kernels give the same bits in every set (math/wide.h), so the choice is one of speed only. There is no
// process-wide choice: a world asks once and holds on to its tables, and a test can run every set.
#pragma once

#include <cstdint>

namespace cairn {

// The levels of the x86-64 ABI. Each includes those before it; `scalar` runs on any machine.
enum class InstructionSet : uint8_t {
  scalar,
  x86_64_v2,  // SSE4.2, POPCNT, …
  x86_64_v3,  // AVX2, BMI, FMA (which Cairn never uses), …
  x86_64_v4,  // AVX-512 F, BW, CD, DQ, VL
};
inline constexpr InstructionSet k_instruction_sets[] = {InstructionSet::scalar, InstructionSet::x86_64_v2,
                                                        InstructionSet::x86_64_v3, InstructionSet::x86_64_v4};

// The highest set that the processor has, the operating system saves the registers of, and this build
// contains. Asks the processor each time (some microseconds under a hypervisor).
InstructionSet best_instruction_set() noexcept;

const char* name(InstructionSet set) noexcept;

}  // namespace cairn
