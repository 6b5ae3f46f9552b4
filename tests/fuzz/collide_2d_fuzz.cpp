// Two shapes of any kind anywhere: built or refused, and then collided.
#include "fuzz/collide_check.h"
#include "fuzz/shapes.h"

using namespace cairn;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  try {
    const Shape2 shape_a = fuzz::shape2(bytes), shape_b = fuzz::shape2(bytes);
    const Vec2 position = bytes.vector2();
    const Pose2 b_in_a{position, bytes.rotation2()};
    const double margin = bytes.below(2) == 0 ? 0 : absolute(bytes.number());
    fuzz::collide_all<Dim2>(build(shape_a), build(shape_b), b_in_a, margin);
  } catch (const Error&) {
  }
  return 0;
}
