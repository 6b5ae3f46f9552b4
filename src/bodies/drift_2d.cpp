#include "bodies/drift.h"

namespace cairn {

void drift(BodyState<Dim2>& state, const BodyMass<Dim2>&, double h) {
  state.position += h * state.velocity;
  if (state.angular_velocity != 0) state.rotation = turned(state.rotation, state.angular_velocity, h);
}

}  // namespace cairn
