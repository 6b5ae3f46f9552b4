// One scalar row of a constraint between two bodies, and what is asked of it.
//
//    C      how far the row is from where it should be, [m] or [rad]
//    Ċ = J v = linear_a·v_a + angular_a·ω_a + linear_b·v_b + angular_b·ω_b
//    λ      the impulse of the row [N·s] or [N·m·s]; it acts on a as λ·(linear_a, angular_a), on b likewise
//
// So a positive λ makes C grow. Velocities are those of the centres of mass, all in world axes.
#pragma once

#include <cairn/math.h>

#include <cstdint>
#include <limits>

#include "math/dim.h"

namespace cairn {

template <class D, class T>
struct JacobianT {
  VecOf<D, T> linear_a{};
  AngOf<D, T> angular_a{};
  VecOf<D, T> linear_b{};
  AngOf<D, T> angular_b{};

  CAIRN_INLINE T speed(const VecOf<D, T>& va, const AngOf<D, T>& wa, const VecOf<D, T>& vb,
                       const AngOf<D, T>& wb) const {
    return dot(linear_a, va) + dot(angular_a, wa) + dot(linear_b, vb) + dot(angular_b, wb);
  }
};

// How the row of a joint is held.
enum class RowRole : std::uint8_t {
  hold,      // C = 0, whatever it takes: the solver stabilises it
  limit,     // C ≥ 0 with λ ≥ 0: a stop
  servo,     // a spring and damper that draw C to 0 (frequency, damping_ratio), with a bounded effort
  drive,     // J v = speed, with a bounded effort
  friction,  // J v = 0, with a bounded effort
};

template <class D>
struct JointRow {
  JacobianT<D, double> jacobian{};
  RowRole role = RowRole::hold;
  std::uint8_t slot =
      0;  // which of the joint's rows it is, always the same: its impulse is kept under this number
  bool active = true;   // an inactive row stays in its place and does nothing: its λ is 0
  double position = 0;  // [m] or [rad] C
  double speed = 0;     // [m/s] or [rad/s] what J v should be when C = 0: of a target that moves with time
  double max_effort = std::numeric_limits<double>::infinity();   // [N] or [N·m] λ/h is at most this, and
  double min_effort = -std::numeric_limits<double>::infinity();  // at least this; of limits 0
  double frequency = 0;      // [Hz] of servos and of soft limits and holds; 0: rigid
  double damping_ratio = 1;  // likewise
};

}  // namespace cairn
