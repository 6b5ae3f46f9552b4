#include "bodies/state.h"

namespace cairn {

Sym3 restricted_inverse(const Sym3& inertia, const Axes3& locked) {
  // Cut the locked axes off from the others and give them a 1, invert, and take the 1 away again.
  Sym3 m = inertia;
  if (locked.x) m.xx = 1, m.xy = m.xz = 0;
  if (locked.y) m.yy = 1, m.xy = m.yz = 0;
  if (locked.z) m.zz = 1, m.xz = m.yz = 0;
  Sym3 result = inverse(m);
  if (locked.x) result.xx = 0;
  if (locked.y) result.yy = 0;
  if (locked.z) result.zz = 0;
  return result;
}

}  // namespace cairn
