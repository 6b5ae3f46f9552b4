// The way to private members, for tests that break or age what nobody else can reach: a template may be instantiated with
// any of them.
//
//   CAIRN_OPEN(Free, Ids, free_, std::vector<std::uint32_t>)    in namespace cairn::rob
//   ids.*way_to(rob::Free{})
#pragma once

#include "world/data.h"

namespace cairn {
namespace rob {

template <class Name, typename Name::Pointer P>
struct Opened {
  friend typename Name::Pointer way_to(Name) { return P; }
};

#define CAIRN_OPEN(Name, Class, Member, ...) \
  struct Name {                              \
    using Pointer = __VA_ARGS__ Class::*;    \
    friend Pointer way_to(Name);             \
  };                                         \
  template struct Opened<Name, &Class::Member>;

using Ids = IdPool<BodyTag>;
using Bodies = BodyStore<Dim3>;
using Joints = JointStore<Dim3>;
CAIRN_OPEN(Data, World<Dim3>, data_, std::unique_ptr<WorldData<Dim3>>)
CAIRN_OPEN(BodyIds, Bodies, ids_, IdPool<BodyTag>)
CAIRN_OPEN(Newest, Ids, newest_, std::vector<std::uint32_t>)

}  // namespace rob

inline WorldData<Dim3>& data_of(World3& world) { return *(world.*way_to(rob::Data{})); }
inline IdPool<BodyTag>& ids_of(WorldData<Dim3>& data) { return data.bodies.*way_to(rob::BodyIds{}); }

}  // namespace cairn
