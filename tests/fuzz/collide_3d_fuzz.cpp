// Two shapes of any kind anywhere: built or refused, and then collided.
#include "fuzz/collide_check.h"
#include "fuzz/shapes.h"

using namespace cairn;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  try {
    const Shape3 shape_a = fuzz::shape3(bytes), shape_b = fuzz::shape3(bytes);
    const Vec3 position = bytes.vector3();
    const Pose3 b_in_a{position, bytes.rotation3()};
    const double margin = bytes.below(2) == 0 ? 0 : absolute(bytes.number());
    fuzz::collide_all<Dim3>(build(shape_a), build(shape_b), b_in_a, margin);
  } catch (const Error&) {
  }
  return 0;
}
