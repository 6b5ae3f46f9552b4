// Does the coloring hold what lanes and threads take for granted? No two contacts of a color write to the same record of a body,
// but for the one of a group that rests.
#include "solvers/soft_step/soft_step.h"

namespace cairn {

template <class D, class Real>
void SoftStepLanes<D, Real>::find_faults(Faults& faults, std::span<const PatchRef> contacts,
                                         std::span<const BodyMass<D>> masses) const {
  std::vector<std::uint32_t> times(contacts.size());
  struct User {
    int color = -1;
    std::size_t group = 0;
  };
  std::vector<User> last(moving_.size());
  const std::size_t bodies = moving_.size() - groups_.size() - copies_.size();
  const auto rests = [&](std::uint32_t record, std::size_t group) { return record == bodies + group; };
  for (int c = 0; c <= Coloring::k_overflow; ++c) {
    const bool alone = c == Coloring::k_overflow;
    for (std::size_t g = colors_[c].first; g < colors_[c].first + colors_[c].count; ++g)
      for (int lane = 0; lane < k_width; ++lane) {
        const std::uint32_t i = contact_of_[g * k_width + std::size_t(lane)];
        const std::uint32_t a = groups_[g].a[lane], b = groups_[g].b[lane];
        if (i == k_nobody) {  // it stores what it loaded: to nobody's record
          if (!rests(a, g) || !rests(b, g) || lane < groups_[g].lanes)
            faults.add("color ", c, ", group ", g, ", lane ", lane, ": has no contact, but records ", a,
                       " and ", b);
          continue;
        }
        if (i >= contacts.size() || ++times[i] > 1) {
          faults.add("color ", c, ", group ", g, ", lane ", lane, ": is not contact ", i, " of ",
                     contacts.size());
          continue;
        }
        if (alone && lane > 0) faults.add("contact ", i, " has no color of its own and is in lane ", lane);
        for (const auto& [row, record] : {std::pair{contacts[i].a, a}, std::pair{contacts[i].b, b}}) {
          const Motion motion = masses[row].motion;
          if (motion == Motion::dynamic ? record != row
              : motion == Motion::fixed ? !rests(record, g)
                                        : record < bodies + groups_.size()) {
            faults.add("contact ", i, ": row ", row, " has the record ", record);
            continue;
          }
          User& user = last[record];
          if (!alone && user.color == c && (user.group != g || motion != Motion::fixed))
            faults.add("color ", c, ": contact ", i, " of rows ", contacts[i].a, " and ", contacts[i].b,
                       " is not the only one that moves row ", row);
          user = {c, g};
        }
      }
  }
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (times[i] == 0)
      faults.add("contact ", i, " of rows ", contacts[i].a, " and ", contacts[i].b, ": in no color");
}

#define CAIRN_MEMBER(D, Real)                                                           \
  template void SoftStepLanes<D, Real>::find_faults(Faults&, std::span<const PatchRef>, \
                                                    std::span<const BodyMass<D>>) const;
CAIRN_MEMBER(Dim2, float)
CAIRN_MEMBER(Dim2, double)
CAIRN_MEMBER(Dim3, float)
CAIRN_MEMBER(Dim3, double)
#undef CAIRN_MEMBER

}  // namespace cairn
