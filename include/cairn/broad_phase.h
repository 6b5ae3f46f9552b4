// How a world finds out which shapes may touch.
#pragma once

#include <cairn/field.h>

namespace cairn {

enum class BroadPhase {
  tree,             // bounding-volume trees; right for nearly everything
  sweep_and_prune,  // sorted intervals; good when little moves and the world is spread along the axes
  brute_force,      // every pair: for a handful of bodies, and to check the others
};

template <>
struct EnumNames<BroadPhase> {
  static constexpr std::array<std::pair<BroadPhase, std::string_view>, 3> table{
      {{BroadPhase::tree, "tree"},
       {BroadPhase::sweep_and_prune, "sweep_and_prune"},
       {BroadPhase::brute_force, "brute_force"}}};
};

}  // namespace cairn
