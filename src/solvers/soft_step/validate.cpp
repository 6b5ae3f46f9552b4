// Does the coloring hold what lanes and threads take for granted? No two contacts of a color move the same body, and lanes
// without a contact none.
#include "solvers/soft_step/soft_step.h"

namespace cairn {

template <class D, class Real>
void SoftStepLanes<D, Real>::find_faults(Faults& faults, std::span<const ContactBlock<D>> contacts,
                                         std::span<const BodyMass<D>> masses) const {
  std::vector<std::uint32_t> times(contacts.size());
  std::vector<int> last_color(masses.size(), -1);
  for (int c = 0; c <= Coloring::k_overflow; ++c) {
    const bool alone = c == Coloring::k_overflow;
    for (std::size_t g = colors_[c].first; g < colors_[c].first + colors_[c].count; ++g)
      for (int lane = 0; lane < k_width; ++lane) {
        const std::uint32_t i = groups_[g].block[lane];
        const std::uint32_t a = groups_[g].a[lane], b = groups_[g].b[lane];
        if (i == k_nobody) {  // it stores what it loaded: to nobody's row
          if (a + 1 != moving_.size() || b + 1 != moving_.size() || lane < groups_[g].lanes)
            faults.add("color ", c, ", group ", g, ", lane ", lane, ": has no contact, but rows ", a, " and ",
                       b);
          continue;
        }
        if (i >= contacts.size() || ++times[i] > 1 || a != contacts[i].a || b != contacts[i].b) {
          faults.add("color ", c, ", group ", g, ", lane ", lane, ": is not contact ", i, " of ",
                     contacts.size());
          continue;
        }
        if (alone && lane > 0) faults.add("contact ", i, " has no color of its own and is in lane ", lane);
        for (const std::uint32_t row : {a, b}) {
          if (masses[row].motion != Motion::dynamic) continue;
          if (!alone && last_color[row] == c)
            faults.add("color ", c, ": contact ", i, " of rows ", a, " and ", b,
                       " is not the only one that moves row ", row);
          last_color[row] = c;
        }
      }
  }
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (times[i] == 0)
      faults.add("contact ", i, " of rows ", contacts[i].a, " and ", contacts[i].b, ": in no color");
}

#define CAIRN_MEMBER(D, Real)                                                                  \
  template void SoftStepLanes<D, Real>::find_faults(Faults&, std::span<const ContactBlock<D>>, \
                                                    std::span<const BodyMass<D>>) const;
CAIRN_MEMBER(Dim2, float)
CAIRN_MEMBER(Dim2, double)
CAIRN_MEMBER(Dim3, float)
CAIRN_MEMBER(Dim3, double)
#undef CAIRN_MEMBER

}  // namespace cairn
