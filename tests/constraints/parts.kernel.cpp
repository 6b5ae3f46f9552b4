#include "constraints/parts_kernels.h"
#include "math/wide.h"

namespace cairn::CAIRN_SET {
namespace {

using parts_test::Input;
using parts_test::Output;

// Structs of N scalars, lane by lane, to one struct of N lanes, and back.
template <class T, int N, class D>
void run(JointKind kind, const Input<D, T> (&in)[N], Output<D, T> (&out)[N]) {
  using W = Wide<T, N>;
  constexpr std::size_t in_count = sizeof(Input<D, T>) / sizeof(T),
                        out_count = sizeof(Output<D, T>) / sizeof(T);
  static_assert(sizeof(Input<D, W>) == in_count * sizeof(W) && sizeof(Output<D, W>) == out_count * sizeof(W));
  Input<D, W> lanes;
  W* const field = reinterpret_cast<W*>(&lanes);
  for (std::size_t i = 0; i < in_count; ++i) {
    T values[N];
    for (int lane = 0; lane < N; ++lane) values[lane] = reinterpret_cast<const T*>(&in[lane])[i];
    field[i] = W::load(values);
  }
  const Output<D, W> result = parts_test::outputs(kind, lanes);
  const W* const results = reinterpret_cast<const W*>(&result);
  for (std::size_t i = 0; i < out_count; ++i) {
    T values[N];
    results[i].store(values);
    for (int lane = 0; lane < N; ++lane) reinterpret_cast<T*>(&out[lane])[i] = values[lane];
  }
}

}  // namespace

void parts_2d(JointKind kind, const Input<Dim2, double> (&in)[4], Output<Dim2, double> (&out)[4]) {
  run(kind, in, out);
}
void parts_3d(JointKind kind, const Input<Dim3, double> (&in)[4], Output<Dim3, double> (&out)[4]) {
  run(kind, in, out);
}
void parts_2d(JointKind kind, const Input<Dim2, float> (&in)[8], Output<Dim2, float> (&out)[8]) {
  run(kind, in, out);
}
void parts_3d(JointKind kind, const Input<Dim3, float> (&in)[8], Output<Dim3, float> (&out)[8]) {
  run(kind, in, out);
}

}  // namespace cairn::CAIRN_SET
