// Pairs of pieces in the positions that collision detection finds hard, with the reference's answer.
#pragma once

#include <deque>
#include <string>

#include "narrowphase/random_shapes.h"

namespace cairn::test {

struct Pair2 {
  const Sample2* a = nullptr;
  const Sample2* b = nullptr;
  Pose2 b_in_a;
  double margin = 0;     // [m]
  double size = 0;       // [m] the larger extent
  const char* how = "";  // what kind of position
  Body2 placed_b;        // in a's frame
  Separation2 separation;
};
struct Pair3 {
  const Sample3* a = nullptr;
  const Sample3* b = nullptr;
  Pose3 b_in_a;
  double margin = 0;
  double size = 0;
  const char* how = "";
  Body3 placed_b;
  Separation3 separation;
};

// Two of these samples, one at most a thousand times larger than the other: apart by less than the margin, touching
// to the last bit or to 1e-12 of the size, overlapping a little or a lot, one inside the other, faces or edges
// parallel, corner on corner, edge across edge, along the axes; some from world poses 10⁵ m away.
Pair2 random_pair(const std::deque<Sample2>& as, const std::deque<Sample2>& bs, Dice& dice);
Pair3 random_pair(const std::deque<Sample3>& as, const std::deque<Sample3>& bs, Dice& dice);

// The pose that is a little different: as a step ago.
Pose2 nudged(const Pair2& pair, Dice& dice);
Pose3 nudged(const Pair3& pair, Dice& dice);

// C++ that makes the pair, to reproduce a failure.
std::string text_of(const Pair2& pair);
std::string text_of(const Pair3& pair);

}  // namespace cairn::test
