#include "solvers/soft_step/kernels.h"

#include "base/kernel.h"

namespace cairn {

CAIRN_EACH_SET(extern const ContactKernels<Dim2, float> k_contacts_2f;
               extern const ContactKernels<Dim2, double> k_contacts_2d;
               extern const ContactKernels<Dim3, float> k_contacts_3f;
               extern const ContactKernels<Dim3, double> k_contacts_3d;
               extern const PatchKernels<Dim2, float> k_patches_2f;
               extern const PatchKernels<Dim2, double> k_patches_2d;
               extern const PatchKernels<Dim3, float> k_patches_3f;
               extern const PatchKernels<Dim3, double> k_patches_3d;
               extern const MotionKernels<Dim2, float> k_motion_2f;
               extern const MotionKernels<Dim2, double> k_motion_2d;
               extern const MotionKernels<Dim3, float> k_motion_3f;
               extern const MotionKernels<Dim3, double> k_motion_3d;)

template <>
const ContactKernels<Dim2, float>& contact_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_contacts_2f);
}
template <>
const ContactKernels<Dim2, double>& contact_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_contacts_2d);
}
template <>
const ContactKernels<Dim3, float>& contact_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_contacts_3f);
}
template <>
const ContactKernels<Dim3, double>& contact_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_contacts_3d);
}

template <>
const PatchKernels<Dim2, float>& patch_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_patches_2f);
}
template <>
const PatchKernels<Dim2, double>& patch_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_patches_2d);
}
template <>
const PatchKernels<Dim3, float>& patch_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_patches_3f);
}
template <>
const PatchKernels<Dim3, double>& patch_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_patches_3d);
}

template <>
const MotionKernels<Dim2, float>& motion_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_motion_2f);
}
template <>
const MotionKernels<Dim2, double>& motion_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_motion_2d);
}
template <>
const MotionKernels<Dim3, float>& motion_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_motion_3f);
}
template <>
const MotionKernels<Dim3, double>& motion_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_motion_3d);
}

}  // namespace cairn
