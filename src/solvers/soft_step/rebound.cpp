#include "solvers/soft_step/rebound.h"

namespace cairn {
namespace {

// The turning about the normal: there is none in 2D.
double about(const Vec2&, double) { return 0; }
double about(const Vec3& normal, const Vec3& turning) { return dot(normal, turning); }

template <class D>
Twist<D> velocity_of(const BodyState<D>& state) {
  return {state.velocity, state.angular_velocity};
}

}  // namespace

template <class D>
void Rebounds<D>::begin(std::span<const std::uint32_t> bouncy, std::span<const PatchRef> contacts,
                        const PatchSource<D>& patches, double resting_speed) {
  which_.clear();
  patches_.clear();
  for (const std::uint32_t i : bouncy) {
    const ContactBlock<D> block = patches.block_of(contacts[i]);
    bool meets = false;
    for (int k = 0; k < block.count; ++k) meets |= block.points[k].approach < -resting_speed;
    if (!meets) continue;
    which_.push_back(i);
    patches_.push_back({.block = block});
  }
}

template <class D>
void Rebounds<D>::before(std::span<const BodyState<D>> states, bool fresh) {
  for (std::size_t k = 0; k < which_.size(); ++k) {
    const ContactBlock<D>& block = patches_[k].block;
    patches_[k].a = velocity_of(states[block.a]);
    patches_[k].b = velocity_of(states[block.b]);
    if (fresh) patches_[k].impulse = {};
  }
}

template <class D>
void Rebounds<D>::after(std::size_t k, const PatchImpulse<D>& impulse, std::span<const BodyState<D>> states) {
  Patch& patch = patches_[k];
  const ContactBlock<D>& block = patch.block;
  const BodyState<D>&a = states[block.a], &b = states[block.b];
  const Vec v_a = 0.5 * (patch.a.linear + a.velocity), v_b = 0.5 * (patch.b.linear + b.velocity);
  const Ang w_a = 0.5 * (patch.a.angular + a.angular_velocity),
            w_b = 0.5 * (patch.b.angular + b.angular_velocity);
  const auto slip = [&](const Vec& arm_a) {  // the mean of before and after
    const Vec arm_b = arm_a + (block.points[0].arm_b - block.points[0].arm_a);
    return v_b + cross(w_b, arm_b) - (v_a + cross(w_a, arm_a));
  };
  for (int p = 0; p < block.count; ++p)
    patch.normals +=
        (impulse.normal[p] - patch.impulse.normal[p]) * dot(block.normal, slip(block.points[p].arm_a));
  patch.friction += dot(impulse.friction - patch.impulse.friction,
                        slip(center_of_friction(block)) + block.surface.velocity) +
                    (impulse.twist - patch.impulse.twist) * about(block.normal, w_b - w_a) +
                    dot(impulse.turning - patch.impulse.turning, w_b - w_a);
  patch.impulse = impulse;
}

template <class D>
double Rebounds<D>::taken(std::size_t k) const {
  return larger(0, -patches_[k].normals - larger(0, patches_[k].friction));
}

template class Rebounds<Dim2>;
template class Rebounds<Dim3>;

}  // namespace cairn
