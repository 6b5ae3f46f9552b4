// How ordinary code reaches its kernels, each compiled once per instruction set in a namespace of the set.
//
//    bodies/kernels/drift.kernel.cpp ──┬─ -march=x86-64     → cairn::scalar::drift ─┐
//       (one text)                     ├─ -march=x86-64-v2  → cairn::v2::drift      ├─ a table per set, found
//                                      ├─ -march=x86-64-v3  → cairn::v3::drift      │  by body_kernels(set)
//                                      └─ -march=x86-64-v4  → cairn::v4::drift     ─┘
//
// Adding a kernel: write x.kernel.cpp in `namespace cairn::CAIRN_SET`, and a line in the folder's kernels.h
// and kernels.cpp. What a kernel includes must be internal or always inlined (CAIRN_INLINE, and no std::
// functions): any other inline function is a weak symbol, of which the linker keeps one for everyone, maybe
// the one that was built for AVX-512. tests/repo/kernel_objects.cmake checks the objects.
#pragma once

#include "base/cpu.h"

// CAIRN_EACH_SET(declarations): the same in the namespace of every set in this build.
// CAIRN_OF_SET(set, name):      the one of `set`, an lvalue; the set must be at most best_instruction_set().
#ifdef CAIRN_X86_64_KERNELS
#define CAIRN_EACH_SET(...) \
  namespace scalar {        \
  __VA_ARGS__               \
  }                         \
  namespace v2 {            \
  __VA_ARGS__               \
  }                         \
  namespace v3 {            \
  __VA_ARGS__               \
  }                         \
  namespace v4 {            \
  __VA_ARGS__               \
  }
#define CAIRN_OF_SET(set, name)                             \
  ((set) == ::cairn::InstructionSet::x86_64_v4   ? v4::name \
   : (set) == ::cairn::InstructionSet::x86_64_v3 ? v3::name \
   : (set) == ::cairn::InstructionSet::x86_64_v2 ? v2::name \
                                                 : scalar::name)
#else
#define CAIRN_EACH_SET(...) \
  namespace scalar {        \
  __VA_ARGS__               \
  }
#define CAIRN_OF_SET(set, name) ((void)(set), scalar::name)
#endif
