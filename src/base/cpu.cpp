#include <cairn/instruction_set.h>

#include "base/kernel.h"

#ifdef CAIRN_X86_64_KERNELS
#include <cpuid.h>
#endif

namespace cairn {

#ifdef CAIRN_X86_64_KERNELS
namespace {

// Registers whose contents the operating system keeps across a switch of tasks: XCR0. Faults where CPUID does
// not announce OSXSAVE.
uint64_t saved_registers() {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t{high} << 32 | low;
}

bool has_all(uint64_t present, uint64_t wanted) { return (present & wanted) == wanted; }

constexpr uint32_t bit(int i) { return uint32_t{1} << i; }

// The bits of the levels, by register of CPUID (x86-64 psABI, table 3.1; Intel SDM vol. 2A, CPUID).
struct Features {
  uint32_t leaf1_ecx, leaf7_ebx, extended1_ecx;
  uint64_t saved;
};
constexpr Features k_v2{.leaf1_ecx = bit(0) | bit(9) | bit(13) | bit(19) | bit(20) |
                                     bit(23),  // SSE3 SSSE3 CX16 SSE4.1 SSE4.2 POPCNT
                        .leaf7_ebx = 0,
                        .extended1_ecx = bit(0),  // LAHF
                        .saved = 0};
constexpr Features k_v3{
    .leaf1_ecx = bit(12) | bit(22) | bit(27) | bit(28) | bit(29),  // FMA MOVBE OSXSAVE AVX F16C
    .leaf7_ebx = bit(3) | bit(5) | bit(8),                         // BMI1 AVX2 BMI2
    .extended1_ecx = bit(5),                                       // LZCNT
    .saved = bit(1) | bit(2)};                                     // xmm, upper halves of ymm
constexpr Features k_v4{
    .leaf1_ecx = 0,
    .leaf7_ebx = bit(16) | bit(17) | bit(28) | bit(30) | bit(31),  // AVX512 F DQ CD BW VL
    .extended1_ecx = 0,
    .saved = bit(5) | bit(6) | bit(7)};  // mask registers, upper halves of zmm0–15, zmm16–31

bool has(const Features& machine, const Features& level) {
  return has_all(machine.leaf1_ecx, level.leaf1_ecx) && has_all(machine.leaf7_ebx, level.leaf7_ebx) &&
         has_all(machine.extended1_ecx, level.extended1_ecx) && has_all(machine.saved, level.saved);
}

Features features_of_machine() {
  Features f{};
  uint32_t a, b, c, d;
  // A leaf above the highest one answers with the data of another leaf: __get_cpuid checks and returns 0.
  if (__get_cpuid(1, &a, &b, &c, &d)) f.leaf1_ecx = c;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) f.leaf7_ebx = b;
  if (__get_cpuid(0x80000001, &a, &b, &c, &d)) f.extended1_ecx = c;
  if (f.leaf1_ecx & bit(27)) f.saved = saved_registers();
  return f;
}

}  // namespace

InstructionSet best_instruction_set() noexcept {
  const Features machine = features_of_machine();
  const bool v2 = has(machine, k_v2), v3 = v2 && has(machine, k_v3), v4 = v3 && has(machine, k_v4);
  if (v4 && CAIRN_HAS_v4) return InstructionSet::x86_64_v4;
  if (v3 && CAIRN_HAS_v3) return InstructionSet::x86_64_v3;
  if (v2 && CAIRN_HAS_v2) return InstructionSet::x86_64_v2;
  return InstructionSet::scalar;
}
#else
InstructionSet best_instruction_set() noexcept { return InstructionSet::scalar; }
#endif

}  // namespace cairn
