#include "benchmarks/engine.h"

#include <array>

namespace cairn::bench {
namespace {

#ifdef CAIRN_WITH_BULLET
constexpr bool k_with_bullet = true;
#else
constexpr bool k_with_bullet = false;
#endif
#ifdef CAIRN_WITH_BOX2D
constexpr bool k_with_box2d = true;
#else
constexpr bool k_with_box2d = false;
#endif

constexpr std::array<EngineInfo, 3> k_engines{{
    {.name = "cairn", .in_2d = true, .in_3d = true, .installed = true},
    {.name = "bullet", .in_2d = false, .in_3d = true, .installed = k_with_bullet},
    {.name = "box2d", .in_2d = true, .in_3d = false, .installed = k_with_box2d},
}};

}  // namespace

#ifndef CAIRN_WITH_BULLET
std::unique_ptr<Engine<Dim3>> make_bullet() { return nullptr; }
#endif
#ifndef CAIRN_WITH_BOX2D
std::unique_ptr<Engine<Dim2>> make_box2d() { return nullptr; }
#endif

std::span<const EngineInfo> engines() { return k_engines; }

template <>
std::unique_ptr<Engine<Dim2>> make_engine<Dim2>(std::string_view name, int threads) {
  if (name == "cairn") return make_cairn_2d(threads);
  return name == "box2d" ? make_box2d() : nullptr;
}
template <>
std::unique_ptr<Engine<Dim3>> make_engine<Dim3>(std::string_view name, int threads) {
  if (name == "cairn") return make_cairn_3d(threads);
  return name == "bullet" ? make_bullet() : nullptr;
}

}  // namespace cairn::bench
