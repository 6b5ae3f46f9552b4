// What every engine looks like to the benchmarks. One that is not installed is absent from the build.
#pragma once

#include <memory>
#include <string>

#include "benchmarks/evaluate.h"

namespace cairn::bench {

// With the engine's own default settings, but nothing falls asleep, nothing is damped, and friction and
// restitution of contacts are the scene's.
template <class D>
class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::string name() const = 0;
  virtual int threads() const = 0;
  // Makes the scene, from its start; what was there before is gone. Throws cairn::Error for what the engine
  // cannot do.
  virtual void build(const Scene<D>& scene) = 0;
  virtual void step() = 0;                                      // by the scene's dt
  virtual void read(std::span<BodyState<D>> states) const = 0;  // of all bodies, in the order of the scene
};

struct EngineInfo {
  std::string_view name;
  bool in_2d, in_3d;  // which scenes it plays
  bool installed;     // was it there when the benchmarks were built?
};
std::span<const EngineInfo> engines();

// Null for an engine that is not installed or does not play scenes of this dimension. Only Cairn uses more
// threads than one: the packaged peers have no others.
template <class D>
std::unique_ptr<Engine<D>> make_engine(std::string_view name, int threads);
template <>
std::unique_ptr<Engine<Dim2>> make_engine<Dim2>(std::string_view name, int threads);
template <>
std::unique_ptr<Engine<Dim3>> make_engine<Dim3>(std::string_view name, int threads);

// Each in a file of its own; null where it is not installed.
std::unique_ptr<Engine<Dim2>> make_cairn_2d(int threads);
std::unique_ptr<Engine<Dim3>> make_cairn_3d(int threads);
std::unique_ptr<Engine<Dim3>> make_bullet();
std::unique_ptr<Engine<Dim2>> make_box2d();

}  // namespace cairn::bench
