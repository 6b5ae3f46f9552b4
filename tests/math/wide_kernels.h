// The operations of the lane type as kernels of their own, so that a test can run them in every instruction
// set. (A test that used GoogleTest inside a file compiled for AVX-512 would leave AVX-512 in the inline
// functions of GoogleTest, and with them in every other test of the program.)
#pragma once

#include <cairn/math.h>

#include <cstddef>
#include <cstdint>

namespace cairn::wide_test {

enum class Op {
  add,
  subtract,
  multiply,
  divide,
  add_in_place,
  subtract_in_place,
  multiply_in_place,
  divide_in_place,
  multiply_then_add,
  mixed_with_literals,
  square_root,  // those that may give a NaN of their own
  negate,
  absolute,
  smaller,
  larger,
  clamp,
  select,
  zero,
  copy,
  copy_aligned,
  less,
  less_or_equal,
  greater,
  greater_or_equal,
  equal,
  not_equal,
  is_finite,
  both,
  either,
  neither,
  any,
  all,
  bits  // of a < b, in every lane of the group
};
inline constexpr int k_ops = int(Op::bits) + 1;
inline constexpr int k_first_exact_op = int(Op::negate);

inline constexpr int k_lane_counts[] = {4, 8, 16};
inline constexpr int k_field_counts[] = {1, 2, 3, 6, 7, 8, 13, 14, 16};
// Scalars from record to record: some more than the fields when their number is odd.
CAIRN_INLINE constexpr int stride(int fields) { return fields % 2 ? fields + 3 : fields; }

inline constexpr int k_geometry_in = 16, k_geometry_out = 24;

template <class T>
struct Kernels {
  // out = op(a, b, c), `lanes` scalars at a time; answers are 1 and 0. Arrays of `count` scalars, a multiple
  // of 16, aligned to 64 bytes.
  void (*apply)(Op op, int lanes, const T* a, const T* b, const T* c, T* out, std::size_t count);
  // records[indices[i]] field k → out[k · lanes + i], and back.
  void (*gather)(int lanes, int fields, const T* records, const uint32_t* indices, T* out);
  void (*scatter)(int lanes, int fields, T* records, const uint32_t* indices, const T* in);
  // geometry() below: input k of lane i is in[k · lanes + i], the same for outputs.
  void (*geometry)(int lanes, const T* in, T* out);
};

// The templates of cairn/math.h, with one scalar or with lanes of them.
template <class T>
CAIRN_INLINE void geometry(const T (&in)[k_geometry_in], T (&out)[k_geometry_out]) {
  const Vec3T<T> a{in[0], in[1], in[2]}, b{in[3], in[4], in[5]};
  const Sym3T<T> s{in[6] * in[6] + T(3), in[7] * in[7] + T(3), in[8] * in[8] + T(3), in[9], in[10], in[11]};
  const Rot3T<T> q = normalized(Rot3T<T>{in[12], in[13], in[14], in[15]}), one;
  const Rot3T<T> turned = q * cayley(a) * one;
  const Vec3T<T> image = turned * cross(a, b) + matrix(inverse(q)) * b - normalized(a) * length(b);
  const Sym3T<T> tensor = rotated(q, inverse(s));
  const Vec3T<T> solution = solve(matrix(s) + cross_matrix(b), -a);
  const Vec2T<T> flat{in[0], in[1]};
  const Rot2T<T> none;
  const Vec2T<T> flat_image = normalized(Rot2T<T>{in[2], in[3]}) * (none * flat);
  const T values[k_geometry_out] = {turned.w,
                                    turned.x,
                                    turned.y,
                                    turned.z,
                                    image.x,
                                    image.y,
                                    image.z,
                                    tensor.xx,
                                    tensor.yy,
                                    tensor.zz,
                                    tensor.xy,
                                    tensor.xz,
                                    tensor.yz,
                                    solution.x,
                                    solution.y,
                                    solution.z,
                                    dot(a, b),
                                    flat_image.x,
                                    flat_image.y,
                                    dot(flat, flat),
                                    cross(flat, flat_image),
                                    T(clamp(dot(a, b), T(-1), T(1))),
                                    T(larger(smaller(a.x, b.x), T(0))),
                                    T(absolute(a.z))};
  for (int k = 0; k < k_geometry_out; ++k) out[k] = values[k];
}

}  // namespace cairn::wide_test
