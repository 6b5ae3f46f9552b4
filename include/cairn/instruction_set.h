// Which instruction sets Cairn's kernels are compiled for, and which of them this machine can run.
//
// Kernels give the same bits in every set, so the choice is one of speed only. There is no process-wide choice: a
// world asks once and holds on to what it got.
#pragma once

#include <cstdint>

namespace cairn {

// The levels of the x86-64 ABI. Each includes those before it; `scalar` runs on any machine.
enum class InstructionSet : std::uint8_t {
  scalar,
  x86_64_v2,  // SSE4.2, POPCNT, …
  x86_64_v3,  // AVX2, BMI, FMA (which Cairn never uses), …
  x86_64_v4,  // AVX-512 F, BW, CD, DQ, VL
};

// The highest set that the processor has, the operating system saves the registers of, and this build contains.
// Asks the processor each time (some microseconds under a hypervisor).
InstructionSet best_instruction_set() noexcept;

}  // namespace cairn
