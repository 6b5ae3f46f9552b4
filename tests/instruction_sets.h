// Tests that run once for every instruction set, and are skipped where the machine or this build lacks it.
#pragma once

#include <cairn/world.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "base/kernel.h"

namespace cairn {

inline void PrintTo(InstructionSet set, std::ostream* out) { *out << name_of(set); }

// Is it among CAIRN_INSTRUCTION_SETS (cmake/kernels.cmake)?
inline bool is_built(InstructionSet set) {
  constexpr bool built[] = {CAIRN_HAS_scalar, CAIRN_HAS_v2, CAIRN_HAS_v3, CAIRN_HAS_v4};
  return built[int(set)];
}

class EverySet : public testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    if (GetParam() > best_instruction_set()) GTEST_SKIP() << "this machine lacks " << name_of(GetParam());
    if (!is_built(GetParam())) GTEST_SKIP() << "this build lacks " << name_of(GetParam());
  }
};

inline constexpr InstructionSet k_instruction_sets[] = {InstructionSet::scalar, InstructionSet::x86_64_v2,
                                                        InstructionSet::x86_64_v3, InstructionSet::x86_64_v4};

inline std::string plain_name(const testing::TestParamInfo<InstructionSet>& info) {
  return std::string(name_of(info.param));
}

}  // namespace cairn

#define CAIRN_TEST_EVERY_SET(Suite) \
  INSTANTIATE_TEST_SUITE_P(, Suite, testing::ValuesIn(::cairn::k_instruction_sets), ::cairn::plain_name)
