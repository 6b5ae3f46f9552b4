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
//
// A build can leave sets out (cmake/kernels.cmake: CAIRN_INSTRUCTION_SETS). Who asks for one of them gets the next one
// below, or the lowest there is.
#pragma once

#include <cairn/instruction_set.h>

// CAIRN_EACH_SET(declarations): the same in the namespace of every set in this build.
// CAIRN_OF_SET(set, name):      the one of `set`, an lvalue; the set must be at most best_instruction_set().
#ifdef CAIRN_X86_64_KERNELS
#ifndef CAIRN_HAS_scalar  // all are there, each for itself
#define CAIRN_HAS_scalar 1
#define CAIRN_HAS_v2 1
#define CAIRN_HAS_v3 1
#define CAIRN_HAS_v4 1
#define CAIRN_FOR_scalar scalar
#define CAIRN_FOR_v2 v2
#define CAIRN_FOR_v3 v3
#define CAIRN_FOR_v4 v4
#endif
#define CAIRN_IN_0(set, ...)
#define CAIRN_IN_1(set, ...) \
  namespace set {            \
  __VA_ARGS__                \
  }
#define CAIRN_IN_IF(has, set, ...) CAIRN_IN_##has(set, __VA_ARGS__)
#define CAIRN_IN(has, set, ...) CAIRN_IN_IF(has, set, __VA_ARGS__)
#define CAIRN_EACH_SET(...)                       \
  CAIRN_IN(CAIRN_HAS_scalar, scalar, __VA_ARGS__) \
  CAIRN_IN(CAIRN_HAS_v2, v2, __VA_ARGS__)         \
  CAIRN_IN(CAIRN_HAS_v3, v3, __VA_ARGS__)         \
  CAIRN_IN(CAIRN_HAS_v4, v4, __VA_ARGS__)
#define CAIRN_OF_SET(set, name)                                       \
  ((set) == ::cairn::InstructionSet::x86_64_v4   ? CAIRN_FOR_v4::name \
   : (set) == ::cairn::InstructionSet::x86_64_v3 ? CAIRN_FOR_v3::name \
   : (set) == ::cairn::InstructionSet::x86_64_v2 ? CAIRN_FOR_v2::name \
                                                 : CAIRN_FOR_scalar::name)
#else
#define CAIRN_HAS_scalar 1
#define CAIRN_HAS_v2 0
#define CAIRN_HAS_v3 0
#define CAIRN_HAS_v4 0
#define CAIRN_EACH_SET(...) \
  namespace scalar {        \
  __VA_ARGS__               \
  }
#define CAIRN_OF_SET(set, name) ((void)(set), scalar::name)
#endif
