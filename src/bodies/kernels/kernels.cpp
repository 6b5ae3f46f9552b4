#include "bodies/kernels/kernels.h"

#include "base/kernel.h"

namespace cairn {

CAIRN_EACH_SET(std::size_t drift(BodyState<Dim3>*, const BodyMass<Dim3>*, const uint32_t*, std::size_t,
                                 double);
               std::size_t drift(BodyState<Dim2>*, uint32_t*, std::size_t, double);

               static constexpr BodyKernels k_body_kernels{.drift = drift, .drift_flat = drift};)

const BodyKernels& body_kernels(InstructionSet set) noexcept { return CAIRN_OF_SET(set, k_body_kernels); }

}  // namespace cairn
