#include "geometry/run_tree.h"

namespace cairn {

RunTree2::RunTree2(std::span<const Bounds2> boxes) : boxes_(boxes.begin(), boxes.end()) {
  if (boxes.empty()) return;
  starts_.push_back(0);
  while (boxes_.size() - starts_.back() > 1) {
    const std::size_t begin = starts_.back(), end = boxes_.size();
    starts_.push_back(end);
    for (std::size_t i = begin; i < end; i += k_fan) {
      Bounds2 box = boxes_[i];
      for (std::size_t k = i + 1; k < end && k < i + k_fan; ++k)
        box = {smaller(box.lo, boxes_[k].lo), larger(box.hi, boxes_[k].hi)};
      boxes_.push_back(box);
    }
  }
}

}  // namespace cairn
