#include "math/wide.h"
#include "math/wide_kernels.h"

namespace cairn::CAIRN_SET {

namespace {

using wide_test::Op;

template <class T, int N>
CAIRN_INLINE Wide<T, N> as_number(const Mask<T, N>& m) {
  return select(m, Wide<T, N>(1), Wide<T, N>(0));
}

template <class T, int N>
CAIRN_INLINE Wide<T, N> result(Op op, const Wide<T, N>& a, const Wide<T, N>& b, const Wide<T, N>& c) {
  using W = Wide<T, N>;
  W x = a;
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::add_in_place:
      return x += b;
    case Op::subtract_in_place:
      return x -= b;
    case Op::multiply_in_place:
      return x *= b;
    case Op::divide_in_place:
      return x /= b;
    case Op::multiply_then_add:
      return a * b + c;
    case Op::mixed_with_literals:
      return 2 * a - b / 3 + 0.5;
    case Op::square_root:
      return square_root(a);
    case Op::negate:
      return -a;
    case Op::absolute:
      return absolute(a);
    case Op::smaller:
      return smaller(a, b);
    case Op::larger:
      return larger(a, b);
    case Op::clamp:
      return clamp(a, b, c);
    case Op::select:
      return select(a < b, c, a);
    case Op::zero:
      return W{};
    case Op::copy:
    case Op::copy_aligned:
      return a;
    case Op::less:
      return as_number(a < b);
    case Op::less_or_equal:
      return as_number(a <= b);
    case Op::greater:
      return as_number(a > b);
    case Op::greater_or_equal:
      return as_number(a >= b);
    case Op::equal:
      return as_number(a == b);
    case Op::not_equal:
      return as_number(a != b);
    case Op::is_finite:
      return as_number(is_finite(a));
    case Op::both:
      return as_number((a < b) & (b < c));
    case Op::either:
      return as_number((a < b) | (b < c));
    case Op::neither:
      return as_number(!((a < b) | (b < c)));
    case Op::any:
      return any(a < b) ? 1 : 0;
    case Op::all:
      return all(a < b) ? 1 : 0;
    case Op::bits:
      return T(bits(a < b));
  }
  return a;
}

// Every operation gets a loop of its own, with the lanes in registers as in a real kernel. None of these
// functions is inlined: all in one take a compiler minutes.
template <class T, int N, Op op>
[[gnu::noinline]] void apply_op(const T* a, const T* b, const T* c, T* out, std::size_t count) {
  using W = Wide<T, N>;
  for (std::size_t i = 0; i < count; i += N) {
    if constexpr (op == Op::copy_aligned)
      W::load_aligned(a + i).store_aligned(out + i);
    else
      result(op, W::load(a + i), W::load(b + i), W::load(c + i)).store(out + i);
  }
}

template <class T, int N, int K>
[[gnu::noinline]] void gather_fields(const T* records, const uint32_t* indices, T* out) {
  const auto r = gather_records<K, wide_test::stride(K)>(records, Indices<N>::load(indices));
  for (int k = 0; k < K; ++k) r[k].store(out + k * N);
}
template <class T, int N, int K>
[[gnu::noinline]] void scatter_fields(T* records, const uint32_t* indices, const T* in) {
  Records<T, N, K> r;
  for (int k = 0; k < K; ++k) r.field[k] = Wide<T, N>::load(in + k * N);
  scatter_records<K, wide_test::stride(K)>(records, Indices<N>::load(indices), r);
}

template <class T, int N>
[[gnu::noinline]] void geometry_lanes(const T* in, T* out) {
  Wide<T, N> inputs[wide_test::k_geometry_in], outputs[wide_test::k_geometry_out];
  for (int k = 0; k < wide_test::k_geometry_in; ++k) inputs[k] = Wide<T, N>::load(in + k * N);
  wide_test::geometry(inputs, outputs);
  for (int k = 0; k < wide_test::k_geometry_out; ++k) outputs[k].store(out + k * N);
}

// f<N>() for the N that is `lanes`.
template <class F>
CAIRN_INLINE void with_lanes(int lanes, const F& f) {
  if (lanes == 4) f.template operator()<4>();
  if (lanes == 8) f.template operator()<8>();
  if (lanes == 16) f.template operator()<16>();
}
template <int I = 0, class F>
CAIRN_INLINE void with_fields(int fields, const F& f) {
  if constexpr (I < int(sizeof wide_test::k_field_counts / sizeof(int))) {
    if (fields != wide_test::k_field_counts[I]) return with_fields<I + 1>(fields, f);
    f.template operator()<wide_test::k_field_counts[I]>();
  }
}

template <class T>
CAIRN_INLINE void apply_any(Op op, int lanes, const T* a, const T* b, const T* c, T* out, std::size_t count) {
  with_lanes(lanes, [&]<int N>() CAIRN_INLINE_LAMBDA {
    unroll<wide_test::k_ops>([&]<int I>(Constant<I>) CAIRN_INLINE_LAMBDA {
      if (op == Op(I)) apply_op<T, N, Op(I)>(a, b, c, out, count);
    });
  });
}
template <class T>
CAIRN_INLINE void gather_any(int lanes, int fields, const T* records, const uint32_t* indices, T* out) {
  with_lanes(lanes, [&]<int N>() CAIRN_INLINE_LAMBDA {
    with_fields(fields, [&]<int K>() CAIRN_INLINE_LAMBDA { gather_fields<T, N, K>(records, indices, out); });
  });
}
template <class T>
CAIRN_INLINE void scatter_any(int lanes, int fields, T* records, const uint32_t* indices, const T* in) {
  with_lanes(lanes, [&]<int N>() CAIRN_INLINE_LAMBDA {
    with_fields(fields, [&]<int K>() CAIRN_INLINE_LAMBDA { scatter_fields<T, N, K>(records, indices, in); });
  });
}

}  // namespace

void apply(Op op, int lanes, const float* a, const float* b, const float* c, float* out, std::size_t count) {
  apply_any(op, lanes, a, b, c, out, count);
}
void apply(Op op, int lanes, const double* a, const double* b, const double* c, double* out,
           std::size_t count) {
  apply_any(op, lanes, a, b, c, out, count);
}
void gather(int lanes, int fields, const float* records, const uint32_t* indices, float* out) {
  gather_any(lanes, fields, records, indices, out);
}
void gather(int lanes, int fields, const double* records, const uint32_t* indices, double* out) {
  gather_any(lanes, fields, records, indices, out);
}
void scatter(int lanes, int fields, float* records, const uint32_t* indices, const float* in) {
  scatter_any(lanes, fields, records, indices, in);
}
void scatter(int lanes, int fields, double* records, const uint32_t* indices, const double* in) {
  scatter_any(lanes, fields, records, indices, in);
}
void geometry(int lanes, const float* in, float* out) {
  with_lanes(lanes, [&]<int N>() CAIRN_INLINE_LAMBDA { geometry_lanes<float, N>(in, out); });
}
void geometry(int lanes, const double* in, double* out) {
  with_lanes(lanes, [&]<int N>() CAIRN_INLINE_LAMBDA { geometry_lanes<double, N>(in, out); });
}
void to_double(int lanes, const float* in, double* out) {
  with_lanes(lanes, [&]<int N>() CAIRN_INLINE_LAMBDA { to_double(Wide<float, N>::load(in)).store(out); });
}
void to_float(int lanes, const double* in, float* out) {
  with_lanes(lanes, [&]<int N>() CAIRN_INLINE_LAMBDA { to_float(Wide<double, N>::load(in)).store(out); });
}
void first(int lanes, const uint32_t* indices, std::size_t count, uint32_t* out) {
  with_lanes(lanes, [&]<int N>() CAIRN_INLINE_LAMBDA {
    const auto i = Indices<N>::load_first(indices, count);
    for (int k = 0; k < N; ++k) out[k] = i.at[k];
  });
}
int float_lanes() { return k_lanes<float>; }
int double_lanes() { return k_lanes<double>; }

}  // namespace cairn::CAIRN_SET
