// Limits of the angles of trees (limbs.h), swept one after another.
//
//    C ≥ 0 [rad], J = n·(ω_b − ω_a),    λ ← max(0, λ − m (J v + b + Γ_soft λ))
//
// They are rows as those of bonds.h, but turn two bodies and do nothing else, and in a heap of ragdolls there are more of them than of
// anything that is not in lanes: half of the memory and a quarter of the arithmetic of such a row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bodies/state.h"
#include "solvers/soft_step/lanes.h"

namespace cairn {

// One that may be met in this substep, as Limbs finds it.
template <class D>
struct AngleLimit {
  typename D::Ang turn{};  // n
  double position = 0;     // [rad] C
  double frequency = 0;    // [Hz]; 0: rigid
  double damping_ratio = 1;
  int slot = 0;
};

template <class D>
struct Stop {
  using Ang = typename D::Ang;
  Ang turn{};                    // n
  Ang yield_a{}, yield_b{};      // M⁻¹ Jᵀ: what a unit impulse does to the spins; a's is taken away
  double position = 0;           // [rad] C
  double draw_in = 0, hold = 0;  // b, with and without drawing in errors
  double softness = 0;           // Γ_soft
  double mass = 0;               // 1/(K + Γ_soft)
  double impulse = 0;
  std::uint32_t joint = 0, a = 0, b = 0;  // bodies by row
  int slot = 0;

  // As far as it is away, b lets it go.
  void place(double at, double h, double rate) {
    position = at;
    draw_in = at > 0 ? at / h : rate * at;
    hold = at > 0 ? at / h : 0;
  }
};
static_assert(sizeof(Stop<Dim3>) == 136);

template <class D>
class Stops {
 public:
  void begin_step() { now_.clear(); }
  // What there was is what can be kept.
  void begin_substep() {
    before_.swap(now_);
    now_.clear();
  }
  // Takes in the limit, if there is anything that it could move. `stop` has its bodies, joint and impulse.
  bool add(Stop<D> stop, const AngleLimit<D>& limit, const typename D::Inertia& inverse_inertia_a,
           const typename D::Inertia& inverse_inertia_b, double h, double rate);
  // Those of the substep before, where they are now.
  void keep(std::uint32_t first, std::uint32_t count, std::span<const BodyState<D>> states, double h,
            double rate);

  template <class Real>
  void warm_start(MovingBody<D, Real>* moving) const;
  template <class Real>
  void sweep(MovingBody<D, Real>* moving, bool draws_in);

  std::uint32_t size() const { return std::uint32_t(now_.size()); }
  std::span<const Stop<D>> now() const { return now_; }
  std::span<const Stop<D>> before() const { return before_; }

 private:
  std::vector<Stop<D>> now_, before_;
};

extern template class Stops<Dim2>;
extern template class Stops<Dim3>;

}  // namespace cairn
