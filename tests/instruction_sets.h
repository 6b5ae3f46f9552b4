// Tests that run once for every instruction set, and are skipped where the machine lacks it.
#pragma once

#include "base/cpu.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace cairn {

inline void PrintTo(InstructionSet set, std::ostream* out) { *out << name(set); }

class EverySet : public testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    if (GetParam() > best_instruction_set()) GTEST_SKIP() << "this machine lacks " << name(GetParam());
  }
};

inline std::string plain_name(const testing::TestParamInfo<InstructionSet>& info) {
  std::string plain = name(info.param);
  for (char& c : plain)
    if (c == '-') c = '_';
  return plain;
}

}  // namespace cairn

#define CAIRN_TEST_EVERY_SET(Suite) \
  INSTANTIATE_TEST_SUITE_P(, Suite, testing::ValuesIn(::cairn::k_instruction_sets), ::cairn::plain_name)
