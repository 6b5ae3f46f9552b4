// From a fuzzer's bytes to shapes, which may be such that build() refuses them.
#pragma once

#include <cairn/shape.h>

#include "fuzz/bytes.h"

namespace cairn::fuzz {

Shape2 shape2(Bytes& bytes, int depth = 0);
Shape3 shape3(Bytes& bytes, int depth = 0);
Mesh mesh(Bytes& bytes);
HeightField height_field(Bytes& bytes);

}  // namespace cairn::fuzz
