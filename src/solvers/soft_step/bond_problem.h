// What the joints of a step are to the solver.
#pragma once

#include <cairn/solver.h>

#include <cstdint>
#include <limits>
#include <span>

#include "constraints/contact_block.h"
#include "constraints/joint_store.h"

namespace cairn {

// Of joints, their bodies' rows and masses. If it is that of the problem before, all of these are, and which joints there are.
struct BondRevision {
  std::uint64_t joints = 0, bodies = 0;  // 0: it is not known
  bool is_same(const BondRevision& other) const {
    return joints != 0 && joints == other.joints && bodies == other.bodies;
  }
};

template <class D>
struct BondProblem {
  std::span<const JointRecord<D>> joints;
  std::span<const JointMemory<D>> memory;         // of the joints, when the step begins
  std::span<JointMemory<D>> found;                // likewise, when it ends
  std::span<const std::uint32_t> rows_a, rows_b;  // the joints' bodies
  std::span<const std::uint32_t> which;           // of these joints; the others are left alone
  BondRevision revision{};
  std::span<const PatchRef> contacts{};
  const PatchSource<D>* patches = nullptr;        // of the contacts
  Precision precision = Precision::single_lanes;  // of what is swept in lanes
  double gravity = 0;                             // [m/s²]
  double resting_speed = 0;                       // [m/s] slower, nothing strikes
  double push_speed =
      std::numeric_limits<double>::infinity();  // [m/s] errors are drawn in no faster than this
};

}  // namespace cairn
