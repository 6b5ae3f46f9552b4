// Joints that give way: after each step their reactions are compared with what they bear.
//
// Nothing here may fail, since the bodies have moved already. The list of breaks has room for all joints from the time
// they are created, and that two bodies may meet again is only noted (Collisions::separate).
#include <algorithm>

#include "world/data.h"

namespace cairn {

template <class D>
void break_overloaded(WorldData<D>& world) noexcept {
  const JointStore<D>& joints = world.joints;
  world.broken.clear();
  for (std::uint32_t row = 0; row < joints.row_count(); ++row) {
    if (!joints.may_break[row]) continue;
    const JointRecord<D>& joint = joints.records[row];
    const Wrench<D>& load = joints.memory[row].reaction;
    if (length(load.force) > joint.break_force || length(load.torque) > joint.break_torque)
      world.broken.push_back({world.time, joints.id_of_row[row], joint.a, joint.b, load});
  }
  // Rows come in no particular order, and destroying moves them.
  std::sort(world.broken.begin(), world.broken.end(),
            [](const JointBreak<D>& x, const JointBreak<D>& y) { return x.joint.index() < y.joint.index(); });
  for (const JointBreak<D>& gone : world.broken) world.destroy(gone.joint);
}

template void break_overloaded(WorldData<Dim2>&) noexcept;
template void break_overloaded(WorldData<Dim3>&) noexcept;

}  // namespace cairn
