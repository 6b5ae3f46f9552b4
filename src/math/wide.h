// Wide<T, N>: N lanes of float or double that behave as one number.
//
// The only file that knows instruction sets.
//
// A kernel is one text, compiled once per instruction set (cmake/kernels.cmake). Each set has a namespace of
// its own, and this type is a member of it, so that cairn::v3::Wide and cairn::v4::Wide, and every template
// made with them, are different names to the linker: code built for a newer machine cannot be handed to an
// older one.
//
//    set        namespace   register   natural lanes of float, double
//    scalar     scalar      one lane         4   4                      any machine
//    x86-64-v2  v2          16 bytes         4   4                      SSE4.2
//    x86-64-v3  v3          32 bytes         8   4                      AVX2
//    x86-64-v4  v4          64 bytes        16   8                      AVX-512 F, BW, DQ, VL
//
// Every N works in every set: a value too wide for a register is two halves, down to what the set has.
//
//    Wide<float, 16>   scalar: 16 scalars   v2: xmm xmm xmm xmm   v3: ymm ymm   v4: zmm
//
// Identical results. A lane holds the same bits in every set and for every N, and they are those of the plain
// scalar expression: IEEE + − × ÷ √ only, no FMA (a*b + c rounds twice), no approximate reciprocals, and
// smaller/larger are exactly `b < a ? b : a` and `a < b ? b : a`, with NaN and −0, as in cairn/math.h. The
// one exception: arithmetic that gives a NaN gives *a* NaN; which one depends on operand order, which
// compilers may swap. (smaller, larger, select, absolute and − pass bits on unchanged, those of a NaN
// included.)
//
// All functions on lanes are hidden friends, found by their argument only. Otherwise square_root in cairn::v3
// would hide square_root(double) of cairn from everything inside a kernel.
#pragma once

#include <cairn/math.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#ifndef CAIRN_SET  // a file that is no kernel sees the set of any machine
#define CAIRN_SET scalar
#define CAIRN_SET_LEVEL 0
#endif

#if CAIRN_SET_LEVEL == 4
#if !defined(__AVX512F__) || !defined(__AVX512BW__) || !defined(__AVX512DQ__) || !defined(__AVX512VL__)
#error "the set v4 needs -march=x86-64-v4"
#endif
#elif CAIRN_SET_LEVEL == 3
#if !defined(__AVX2__) || defined(__AVX512F__)
#error "the set v3 needs -march=x86-64-v3"
#endif
#elif CAIRN_SET_LEVEL == 2
#if !defined(__SSE4_2__) || defined(__AVX__)
#error "the set v2 needs -march=x86-64-v2"
#endif
#endif

#if CAIRN_SET_LEVEL >= 2
#pragma GCC diagnostic push
#ifndef __clang__  // GCC 12 takes its own _mm512_undefined_ps for a mistake
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

#define CAIRN_INLINE_LAMBDA __attribute__((always_inline))  // where a lambda's `mutable` would stand

namespace cairn::CAIRN_SET {

// f(0), f(1), … f(N − 1), written out, with arguments that are constants. (GCC keeps short loops over arrays
// of registers at -O2, and with them the arrays in memory.)
template <int I>
struct Constant {
  CAIRN_INLINE constexpr operator int() const { return I; }
};
template <int N, class F>
CAIRN_INLINE void unroll(const F& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) CAIRN_INLINE_LAMBDA { (f(Constant<I>{}), ...); }
  (std::make_integer_sequence<int, N>{});
}

// ----------------------------------------------------------------------------------------------- registers
//
// Register<T, N> is a set of static functions on `Value`, N lanes of T, and `Truth`, N answers. This primary
// template is the one for more lanes than a register has; the back ends below specialise it. Records (see
// gather_records) move in chunks of `k_chunk` scalars, those of 16 bytes.

template <class T, int N>
struct Register {
  using Half = Register<T, N / 2>;
  struct Value {
    typename Half::Value lo, hi;
  };
  struct Truth {
    typename Half::Truth lo, hi;
  };
  using V = const Value&;
  using M = const Truth&;
  static constexpr int k_chunk = Half::k_chunk;

  CAIRN_INLINE static Value fill(T x) { return {Half::fill(x), Half::fill(x)}; }
  CAIRN_INLINE static Value load(const T* p) { return {Half::load(p), Half::load(p + N / 2)}; }
  CAIRN_INLINE static Value load_aligned(const T* p) {
    return {Half::load_aligned(p), Half::load_aligned(p + N / 2)};
  }
  CAIRN_INLINE static void store(T* p, V a) { Half::store(p, a.lo), Half::store(p + N / 2, a.hi); }
  CAIRN_INLINE static void store_aligned(T* p, V a) {
    Half::store_aligned(p, a.lo), Half::store_aligned(p + N / 2, a.hi);
  }

  CAIRN_INLINE static Value add(V a, V b) { return {Half::add(a.lo, b.lo), Half::add(a.hi, b.hi)}; }
  CAIRN_INLINE static Value subtract(V a, V b) {
    return {Half::subtract(a.lo, b.lo), Half::subtract(a.hi, b.hi)};
  }
  CAIRN_INLINE static Value multiply(V a, V b) {
    return {Half::multiply(a.lo, b.lo), Half::multiply(a.hi, b.hi)};
  }
  CAIRN_INLINE static Value divide(V a, V b) { return {Half::divide(a.lo, b.lo), Half::divide(a.hi, b.hi)}; }
  CAIRN_INLINE static Value negate(V a) { return {Half::negate(a.lo), Half::negate(a.hi)}; }
  CAIRN_INLINE static Value absolute(V a) { return {Half::absolute(a.lo), Half::absolute(a.hi)}; }
  CAIRN_INLINE static Value root(V a) { return {Half::root(a.lo), Half::root(a.hi)}; }
  CAIRN_INLINE static Value smaller(V a, V b) {
    return {Half::smaller(a.lo, b.lo), Half::smaller(a.hi, b.hi)};
  }
  CAIRN_INLINE static Value larger(V a, V b) { return {Half::larger(a.lo, b.lo), Half::larger(a.hi, b.hi)}; }

  CAIRN_INLINE static Truth less(V a, V b) { return {Half::less(a.lo, b.lo), Half::less(a.hi, b.hi)}; }
  CAIRN_INLINE static Truth at_most(V a, V b) {
    return {Half::at_most(a.lo, b.lo), Half::at_most(a.hi, b.hi)};
  }
  CAIRN_INLINE static Truth equal(V a, V b) { return {Half::equal(a.lo, b.lo), Half::equal(a.hi, b.hi)}; }
  CAIRN_INLINE static Truth differ(V a, V b) { return {Half::differ(a.lo, b.lo), Half::differ(a.hi, b.hi)}; }
  CAIRN_INLINE static Truth both(M a, M b) { return {Half::both(a.lo, b.lo), Half::both(a.hi, b.hi)}; }
  CAIRN_INLINE static Truth either(M a, M b) { return {Half::either(a.lo, b.lo), Half::either(a.hi, b.hi)}; }
  CAIRN_INLINE static Truth invert(M a) { return {Half::invert(a.lo), Half::invert(a.hi)}; }
  CAIRN_INLINE static Value select(M m, V a, V b) {
    return {Half::select(m.lo, a.lo, b.lo), Half::select(m.hi, a.hi, b.hi)};
  }
  CAIRN_INLINE static uint32_t bits(M m) { return Half::bits(m.lo) | Half::bits(m.hi) << (N / 2); }

  // record(i) is where the record of lane i begins.
  template <class F>
  CAIRN_INLINE static void gather(const F& record, Value (&out)[k_chunk]) {
    typename Half::Value lo[k_chunk], hi[k_chunk];
    Half::gather(record, lo);
    Half::gather([&](int i) CAIRN_INLINE_LAMBDA { return record(i + N / 2); }, hi);
    unroll<k_chunk>([&](int i) CAIRN_INLINE_LAMBDA { out[i] = {lo[i], hi[i]}; });
  }
  CAIRN_INLINE static void transpose(const Value (&in)[k_chunk], Value (&out)[k_chunk]) {
    typename Half::Value lo[k_chunk], hi[k_chunk];
    unroll<k_chunk>([&](int i) CAIRN_INLINE_LAMBDA { lo[i] = in[i].lo, hi[i] = in[i].hi; });
    typename Half::Value lo_out[k_chunk], hi_out[k_chunk];
    Half::transpose(lo, lo_out);
    Half::transpose(hi, hi_out);
    unroll<k_chunk>([&](int i) CAIRN_INLINE_LAMBDA { out[i] = {lo_out[i], hi_out[i]}; });
  }
  template <int Piece>
  CAIRN_INLINE static void store_piece(T* p, V a) {
    constexpr int half = N / 2 / k_chunk;
    if constexpr (Piece < half)
      Half::template store_piece<Piece>(p, a.lo);
    else
      Half::template store_piece<Piece - half>(p, a.hi);
  }
};

// Any machine.
CAIRN_INLINE float root_of(float x) { return __builtin_sqrtf(x); }
CAIRN_INLINE double root_of(double x) { return __builtin_sqrt(x); }
CAIRN_INLINE float magnitude_of(float x) { return __builtin_fabsf(x); }
CAIRN_INLINE double magnitude_of(double x) { return __builtin_fabs(x); }

template <class T>
struct Register<T, 1> {
  using Value = T;
  using Truth = bool;
  static constexpr int k_chunk = 1;
  CAIRN_INLINE static T fill(T x) { return x; }
  CAIRN_INLINE static T load(const T* p) { return *p; }
  CAIRN_INLINE static T load_aligned(const T* p) { return *p; }
  CAIRN_INLINE static void store(T* p, T a) { *p = a; }
  CAIRN_INLINE static void store_aligned(T* p, T a) { *p = a; }
  CAIRN_INLINE static T add(T a, T b) { return a + b; }
  CAIRN_INLINE static T subtract(T a, T b) { return a - b; }
  CAIRN_INLINE static T multiply(T a, T b) { return a * b; }
  CAIRN_INLINE static T divide(T a, T b) { return a / b; }
  CAIRN_INLINE static T negate(T a) { return -a; }
  CAIRN_INLINE static T absolute(T a) { return magnitude_of(a); }
  CAIRN_INLINE static T root(T a) { return root_of(a); }
  CAIRN_INLINE static T smaller(T a, T b) { return b < a ? b : a; }
  CAIRN_INLINE static T larger(T a, T b) { return a < b ? b : a; }
  CAIRN_INLINE static bool less(T a, T b) { return a < b; }
  CAIRN_INLINE static bool at_most(T a, T b) { return a <= b; }
  CAIRN_INLINE static bool equal(T a, T b) { return a == b; }
  CAIRN_INLINE static bool differ(T a, T b) { return a != b; }
  CAIRN_INLINE static bool both(bool a, bool b) { return a & b; }
  CAIRN_INLINE static bool either(bool a, bool b) { return a | b; }
  CAIRN_INLINE static bool invert(bool a) { return !a; }
  CAIRN_INLINE static T select(bool m, T a, T b) { return m ? a : b; }
  CAIRN_INLINE static uint32_t bits(bool m) { return m; }
  template <class F>
  CAIRN_INLINE static void gather(const F& record, T (&out)[1]) {
    out[0] = *record(0);
  }
  CAIRN_INLINE static void transpose(const T (&in)[1], T (&out)[1]) { out[0] = in[0]; }
  template <int Piece>
  CAIRN_INLINE static void store_piece(T* p, T a) {
    *p = a;
  }
};

#if CAIRN_SET_LEVEL >= 2

// x86. The pieces of 16 bytes that a register consists of: joined from memory, and stored one by one.
CAIRN_INLINE void join(__m128& r, const float* a) { r = _mm_loadu_ps(a); }
CAIRN_INLINE void join(__m128d& r, const double* a) { r = _mm_loadu_pd(a); }
template <int Piece>
CAIRN_INLINE __m128 piece(__m128 r) {
  return r;
}
template <int Piece>
CAIRN_INLINE __m128d piece(__m128d r) {
  return r;
}
#if CAIRN_SET_LEVEL >= 3
CAIRN_INLINE void join(__m256& r, const float* a, const float* b) {
  r = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(a)), _mm_loadu_ps(b), 1);
}
CAIRN_INLINE void join(__m256d& r, const double* a, const double* b) {
  r = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(a)), _mm_loadu_pd(b), 1);
}
template <int Piece>
CAIRN_INLINE __m128 piece(__m256 r) {
  return _mm256_extractf128_ps(r, Piece);
}
template <int Piece>
CAIRN_INLINE __m128d piece(__m256d r) {
  return _mm256_extractf128_pd(r, Piece);
}
#endif
#if CAIRN_SET_LEVEL >= 4
CAIRN_INLINE void join(__m512& r, const float* a, const float* b, const float* c, const float* d) {
  r = _mm512_castps128_ps512(_mm_loadu_ps(a));
  r = _mm512_insertf32x4(r, _mm_loadu_ps(b), 1);
  r = _mm512_insertf32x4(r, _mm_loadu_ps(c), 2);
  r = _mm512_insertf32x4(r, _mm_loadu_ps(d), 3);
}
CAIRN_INLINE void join(__m512d& r, const double* a, const double* b, const double* c, const double* d) {
  r = _mm512_castpd128_pd512(_mm_loadu_pd(a));
  r = _mm512_insertf64x2(r, _mm_loadu_pd(b), 1);
  r = _mm512_insertf64x2(r, _mm_loadu_pd(c), 2);
  r = _mm512_insertf64x2(r, _mm_loadu_pd(d), 3);
}
template <int Piece>
CAIRN_INLINE __m128 piece(__m512 r) {
  return _mm512_extractf32x4_ps(r, Piece);
}
template <int Piece>
CAIRN_INLINE __m128d piece(__m512d r) {
  return _mm512_extractf64x2_pd(r, Piece);
}
#endif

// Answers are bits in a mask register from v4 on, before that lanes of all ones or all zeros.
#if CAIRN_SET_LEVEL >= 4
#define CAIRN_TRUTH(N, V, P, S)                                                                \
  using Truth = uint32_t;                                                                      \
  static constexpr uint32_t k_all = (1u << N) - 1;                                             \
  CAIRN_INLINE static Truth less(V a, V b) { return P##_cmp_##S##_mask(a, b, _CMP_LT_OQ); }    \
  CAIRN_INLINE static Truth at_most(V a, V b) { return P##_cmp_##S##_mask(a, b, _CMP_LE_OQ); } \
  CAIRN_INLINE static Truth equal(V a, V b) { return P##_cmp_##S##_mask(a, b, _CMP_EQ_OQ); }   \
  CAIRN_INLINE static Truth differ(V a, V b) { return P##_cmp_##S##_mask(a, b, _CMP_NEQ_UQ); } \
  CAIRN_INLINE static Truth both(Truth a, Truth b) { return a & b; }                           \
  CAIRN_INLINE static Truth either(Truth a, Truth b) { return a | b; }                         \
  CAIRN_INLINE static Truth invert(Truth a) { return a ^ k_all; }                              \
  CAIRN_INLINE static V select(Truth m, V a, V b) { return P##_mask_blend_##S(m, b, a); }      \
  CAIRN_INLINE static uint32_t bits(Truth m) { return m; }
#else
#define CAIRN_TRUTH(N, V, P, S)                                                   \
  using Truth = V;                                                                \
  CAIRN_INLINE static V less(V a, V b) { return (V)(a < b); }                     \
  CAIRN_INLINE static V at_most(V a, V b) { return (V)(a <= b); }                 \
  CAIRN_INLINE static V equal(V a, V b) { return (V)(a == b); }                   \
  CAIRN_INLINE static V differ(V a, V b) { return (V)(a != b); }                  \
  CAIRN_INLINE static V both(V a, V b) { return P##_and_##S(a, b); }              \
  CAIRN_INLINE static V either(V a, V b) { return P##_or_##S(a, b); }             \
  CAIRN_INLINE static V invert(V a) { return P##_xor_##S(a, (V)(V{} == V{})); }   \
  CAIRN_INLINE static V select(V m, V a, V b) { return P##_blendv_##S(b, a, m); } \
  CAIRN_INLINE static uint32_t bits(V m) { return uint32_t(P##_movemask_##S(m)); }
#endif

// min and max of x86 give their second operand unless the first is the smaller (larger) one: hence the order.
#define CAIRN_ARITHMETIC(T, N, V, P, S)                                            \
  using Value = V;                                                                 \
  CAIRN_INLINE static V fill(T x) { return P##_set1_##S(x); }                      \
  CAIRN_INLINE static V load(const T* p) { return P##_loadu_##S(p); }              \
  CAIRN_INLINE static V load_aligned(const T* p) { return P##_load_##S(p); }       \
  CAIRN_INLINE static void store(T* p, V a) { P##_storeu_##S(p, a); }              \
  CAIRN_INLINE static void store_aligned(T* p, V a) { P##_store_##S(p, a); }       \
  CAIRN_INLINE static V add(V a, V b) { return a + b; }                            \
  CAIRN_INLINE static V subtract(V a, V b) { return a - b; }                       \
  CAIRN_INLINE static V multiply(V a, V b) { return a * b; }                       \
  CAIRN_INLINE static V divide(V a, V b) { return a / b; }                         \
  CAIRN_INLINE static V negate(V a) { return P##_xor_##S(a, fill(T(-0.0))); }      \
  CAIRN_INLINE static V absolute(V a) { return P##_andnot_##S(fill(T(-0.0)), a); } \
  CAIRN_INLINE static V root(V a) { return P##_sqrt_##S(a); }                      \
  CAIRN_INLINE static V smaller(V a, V b) { return P##_min_##S(b, a); }            \
  CAIRN_INLINE static V larger(V a, V b) { return P##_max_##S(b, a); }             \
  CAIRN_TRUTH(N, V, P, S)

// Chunks of records to lanes and back: piece q of register i belongs to record q·k_chunk + i, so that
// transposing within the pieces is all that is left to do, with the same shuffles for every register width:
//
//    memory          registers (floats in v3)     lanes
//    a: a₀a₁a₂a₃     a₀a₁a₂a₃ e₀e₁e₂e₃            a₀b₀c₀d₀ e₀f₀g₀h₀
//    b: b₀b₁b₂b₃     b₀b₁b₂b₃ f₀f₁f₂f₃      →     a₁b₁c₁d₁ e₁f₁g₁h₁
//    …               …                            …
//
// (ns per record of 13 doubles / 14 floats in the first cache: 1.6 / 1.2 in v3 and v4, with the gather
// instructions of the processor 3.2 / 4.2 in v3, 2.8 / 2.5 in v4.)
#define CAIRN_TRANSPOSE_ps(V, P)                                                  \
  static constexpr int k_chunk = 4;                                               \
  CAIRN_INLINE static void transpose(const V(&r)[4], V(&out)[4]) {                \
    const V t0 = P##_unpacklo_ps(r[0], r[1]), t1 = P##_unpacklo_ps(r[2], r[3]);   \
    const V t2 = P##_unpackhi_ps(r[0], r[1]), t3 = P##_unpackhi_ps(r[2], r[3]);   \
    out[0] = P##_shuffle_ps(t0, t1, 0x44), out[1] = P##_shuffle_ps(t0, t1, 0xee); \
    out[2] = P##_shuffle_ps(t2, t3, 0x44), out[3] = P##_shuffle_ps(t2, t3, 0xee); \
  }
#define CAIRN_TRANSPOSE_pd(V, P)                                                \
  static constexpr int k_chunk = 2;                                             \
  CAIRN_INLINE static void transpose(const V(&r)[2], V(&out)[2]) {              \
    out[0] = P##_unpacklo_pd(r[0], r[1]), out[1] = P##_unpackhi_pd(r[0], r[1]); \
  }

// `...`: the pieces of a register, as expressions of the record i that the first of them belongs to.
#define CAIRN_REGISTER(T, N, V, P, S, ...)                                          \
  template <>                                                                       \
  struct Register<T, N> {                                                           \
    CAIRN_ARITHMETIC(T, N, V, P, S)                                                 \
    CAIRN_TRANSPOSE_##S(V, P) template <class F>                                    \
    CAIRN_INLINE static void gather(const F& record, V (&out)[k_chunk]) {           \
      V r[k_chunk];                                                                 \
      unroll<k_chunk>([&](int i) CAIRN_INLINE_LAMBDA { join(r[i], __VA_ARGS__); }); \
      transpose(r, out);                                                            \
    }                                                                               \
    template <int Piece>                                                            \
    CAIRN_INLINE static void store_piece(T* p, V a) {                               \
      _mm_storeu_##S(p, piece<Piece>(a));                                           \
    }                                                                               \
  };
CAIRN_REGISTER(float, 4, __m128, _mm, ps, record(i))
CAIRN_REGISTER(double, 2, __m128d, _mm, pd, record(i))
#if CAIRN_SET_LEVEL >= 3
CAIRN_REGISTER(float, 8, __m256, _mm256, ps, record(i), record(i + 4))
CAIRN_REGISTER(double, 4, __m256d, _mm256, pd, record(i), record(i + 2))
#endif
#if CAIRN_SET_LEVEL >= 4
CAIRN_REGISTER(float, 16, __m512, _mm512, ps, record(i), record(i + 4), record(i + 8), record(i + 12))
CAIRN_REGISTER(double, 8, __m512d, _mm512, pd, record(i), record(i + 2), record(i + 4), record(i + 6))
#endif
#undef CAIRN_REGISTER
#undef CAIRN_TRANSPOSE_ps
#undef CAIRN_TRANSPOSE_pd
#undef CAIRN_ARITHMETIC
#undef CAIRN_TRUTH

#endif  // CAIRN_SET_LEVEL >= 2

// --------------------------------------------------------------------------------------------- conversions

template <int N>
struct Convert {
  using Half = Convert<N / 2>;
  using Floats = typename Register<float, N>::Value;
  using Doubles = typename Register<double, N>::Value;
  CAIRN_INLINE static Doubles widen(const Floats& a) { return {Half::widen(a.lo), Half::widen(a.hi)}; }
  CAIRN_INLINE static Floats narrow(const Doubles& a) { return {Half::narrow(a.lo), Half::narrow(a.hi)}; }
};
#if CAIRN_SET_LEVEL < 2
template <>
struct Convert<1> {
  CAIRN_INLINE static double widen(float a) { return a; }
  CAIRN_INLINE static float narrow(double a) { return float(a); }
};
#elif CAIRN_SET_LEVEL == 2
template <>
struct Convert<4> {
  using Doubles = Register<double, 4>::Value;
  CAIRN_INLINE static Doubles widen(__m128 a) { return {_mm_cvtps_pd(a), _mm_cvtps_pd(_mm_movehl_ps(a, a))}; }
  CAIRN_INLINE static __m128 narrow(const Doubles& a) {
    return _mm_movelh_ps(_mm_cvtpd_ps(a.lo), _mm_cvtpd_ps(a.hi));
  }
};
#else
template <>
struct Convert<4> {
  CAIRN_INLINE static __m256d widen(__m128 a) { return _mm256_cvtps_pd(a); }
  CAIRN_INLINE static __m128 narrow(__m256d a) { return _mm256_cvtpd_ps(a); }
};
#if CAIRN_SET_LEVEL == 3
template <>
struct Convert<8> {
  using Doubles = Register<double, 8>::Value;
  CAIRN_INLINE static Doubles widen(__m256 a) {
    return {_mm256_cvtps_pd(_mm256_castps256_ps128(a)), _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1))};
  }
  CAIRN_INLINE static __m256 narrow(const Doubles& a) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(a.lo)), _mm256_cvtpd_ps(a.hi), 1);
  }
};
#else
template <>
struct Convert<8> {
  CAIRN_INLINE static __m512d widen(__m256 a) { return _mm512_cvtps_pd(a); }
  CAIRN_INLINE static __m256 narrow(__m512d a) { return _mm512_cvtpd_ps(a); }
};
template <>
struct Convert<16> {
  using Doubles = Register<double, 16>::Value;
  CAIRN_INLINE static Doubles widen(__m512 a) {
    return {_mm512_cvtps_pd(_mm512_castps512_ps256(a)), _mm512_cvtps_pd(_mm512_extractf32x8_ps(a, 1))};
  }
  CAIRN_INLINE static __m512 narrow(const Doubles& a) {
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(a.lo)), _mm512_cvtpd_ps(a.hi), 1);
  }
};
#endif
#endif

// --------------------------------------------------------------------------------------------------- lanes

// How many lanes a kernel takes at once if it has no reason of its own: one register of the set, but never
// fewer than four.
template <class T>
inline constexpr int k_lanes = 4;
#if CAIRN_SET_LEVEL == 3
template <>
inline constexpr int k_lanes<float> = 8;
#elif CAIRN_SET_LEVEL == 4
template <>
inline constexpr int k_lanes<float> = 16;
template <>
inline constexpr int k_lanes<double> = 8;
#endif

// The answers to a comparison, one a lane.
template <class T, int N>
struct Mask {
  using R = Register<T, N>;
  typename R::Truth m;

  CAIRN_INLINE friend Mask operator&(const Mask& a, const Mask& b) { return {R::both(a.m, b.m)}; }
  CAIRN_INLINE friend Mask operator|(const Mask& a, const Mask& b) { return {R::either(a.m, b.m)}; }
  CAIRN_INLINE friend Mask operator!(const Mask& a) { return {R::invert(a.m)}; }
  CAIRN_INLINE friend uint32_t bits(const Mask& a) { return R::bits(a.m); }  // bit i is lane i
  CAIRN_INLINE friend bool any(const Mask& a) { return R::bits(a.m) != 0; }
  CAIRN_INLINE friend bool all(const Mask& a) { return R::bits(a.m) == ~0u >> (32 - N); }
};

template <class T, int N>
struct Wide {
  static_assert(N == 4 || N == 8 || N == 16 || N == 32);
  using Scalar = T;
  using Mask = CAIRN_SET::Mask<T, N>;
  using R = Register<T, N>;
  static constexpr int k_count = N;
  // [bytes] of the addresses for load_aligned and store_aligned, the same in all sets.
  static constexpr int k_alignment = N * sizeof(T) < 64 ? N * sizeof(T) : 64;

  typename R::Value v;

  Wide() = default;                          // Wide{} is zero, as for the scalars
  CAIRN_INLINE Wide(T x) : v(R::fill(x)) {}  // the same in every lane; implicit, for 0.5 * a
  CAIRN_INLINE static Wide of(const typename R::Value& v) {
    Wide a;
    a.v = v;
    return a;
  }
  CAIRN_INLINE static Wide load(const T* p) { return of(R::load(p)); }  // from any address
  CAIRN_INLINE static Wide load_aligned(const T* p) { return of(R::load_aligned(p)); }
  CAIRN_INLINE void store(T* p) const { R::store(p, v); }
  CAIRN_INLINE void store_aligned(T* p) const { R::store_aligned(p, v); }

  CAIRN_INLINE friend Wide operator+(const Wide& a, const Wide& b) { return of(R::add(a.v, b.v)); }
  CAIRN_INLINE friend Wide operator-(const Wide& a, const Wide& b) { return of(R::subtract(a.v, b.v)); }
  CAIRN_INLINE friend Wide operator*(const Wide& a, const Wide& b) { return of(R::multiply(a.v, b.v)); }
  CAIRN_INLINE friend Wide operator/(const Wide& a, const Wide& b) { return of(R::divide(a.v, b.v)); }
  CAIRN_INLINE friend Wide operator-(const Wide& a) { return of(R::negate(a.v)); }
  CAIRN_INLINE Wide& operator+=(const Wide& b) { return *this = *this + b; }
  CAIRN_INLINE Wide& operator-=(const Wide& b) { return *this = *this - b; }
  CAIRN_INLINE Wide& operator*=(const Wide& b) { return *this = *this * b; }
  CAIRN_INLINE Wide& operator/=(const Wide& b) { return *this = *this / b; }

  CAIRN_INLINE friend Mask operator<(const Wide& a, const Wide& b) { return {R::less(a.v, b.v)}; }
  CAIRN_INLINE friend Mask operator>(const Wide& a, const Wide& b) { return {R::less(b.v, a.v)}; }
  CAIRN_INLINE friend Mask operator<=(const Wide& a, const Wide& b) { return {R::at_most(a.v, b.v)}; }
  CAIRN_INLINE friend Mask operator>=(const Wide& a, const Wide& b) { return {R::at_most(b.v, a.v)}; }
  CAIRN_INLINE friend Mask operator==(const Wide& a, const Wide& b) { return {R::equal(a.v, b.v)}; }
  CAIRN_INLINE friend Mask operator!=(const Wide& a, const Wide& b) { return {R::differ(a.v, b.v)}; }
  // a where m holds, else b.
  CAIRN_INLINE friend Wide select(const Mask& m, const Wide& a, const Wide& b) {
    return of(R::select(m.m, a.v, b.v));
  }

  CAIRN_INLINE friend Wide square_root(const Wide& a) { return of(R::root(a.v)); }
  CAIRN_INLINE friend Wide absolute(const Wide& a) { return of(R::absolute(a.v)); }
  CAIRN_INLINE friend Wide smaller(const Wide& a, const Wide& b) { return of(R::smaller(a.v, b.v)); }
  CAIRN_INLINE friend Wide larger(const Wide& a, const Wide& b) { return of(R::larger(a.v, b.v)); }
  CAIRN_INLINE friend Wide clamp(const Wide& x, const Wide& lo, const Wide& hi) {
    return smaller(larger(x, lo), hi);
  }
  CAIRN_INLINE friend Mask is_finite(const Wide& a) { return a - a == Wide{}; }

  CAIRN_INLINE friend Wide<float, N> to_float(const Wide& a) requires(sizeof(T) == 8) {
    return Wide<float, N>::of(Convert<N>::narrow(a.v));
  }
  CAIRN_INLINE friend Wide<double, N> to_double(const Wide& a) requires(sizeof(T) == 4) {
    return Wide<double, N>::of(Convert<N>::widen(a.v));
  }
};

// ------------------------------------------------------------------------------------------------- records

// Which records the lanes hold.
template <int N>
struct Indices {
  uint32_t at[N];

  CAIRN_INLINE static Indices load(const uint32_t* p) {
    Indices i;
    __builtin_memcpy(i.at, p, sizeof i.at);
    return i;
  }
  // The first `count` ≥ 1 of them; the other lanes repeat the last, so that they compute what is known to be
  // harmless. Nothing behind p[count − 1] is read.
  CAIRN_INLINE static Indices load_first(const uint32_t* p, std::size_t count) {
    Indices i;
    for (std::size_t lane = 0; lane < std::size_t{N}; ++lane) i.at[lane] = p[lane < count ? lane : count - 1];
    return i;
  }
};

// K fields of records, each a Wide.
template <class T, int N, int K>
struct Records {
  Wide<T, N> field[K];
  CAIRN_INLINE const Wide<T, N>& operator[](int k) const { return field[k]; }
};

// Fields 0 … K − 1 in chunks. The last chunk of a K that is no multiple overlaps the one before, so that
// nothing outside the fields is touched. Fewer fields than a chunk go one by one.
template <int K, int Chunk>
inline constexpr int k_chunks = (K + Chunk - 1) / Chunk;
template <int K, int Chunk>
CAIRN_INLINE constexpr int first_field(int chunk) {
  return (chunk + 1) * Chunk <= K ? chunk * Chunk : K - Chunk;
}

// The first K scalars of records, wherever they are, field by field:
//    field[k] lane i = record(i)[k].
// Nothing but those scalars is read; they need no more alignment than a scalar.
template <class T, int N, int K, class F>
CAIRN_INLINE Records<T, N, K> gather_from(const F& record) {
  using R = Register<T, N>;
  constexpr int C = R::k_chunk;
  Records<T, N, K> out;
  if constexpr (K >= C) {
    unroll<k_chunks<K, C>>([&](int chunk) CAIRN_INLINE_LAMBDA {
      const int first = first_field<K, C>(chunk);
      typename R::Value fields[C];
      R::gather([&](int i) CAIRN_INLINE_LAMBDA { return record(i) + first; }, fields);
      unroll<C>([&](int k) CAIRN_INLINE_LAMBDA { out.field[first + k].v = fields[k]; });
    });
  } else {
    unroll<K>([&](int k) CAIRN_INLINE_LAMBDA {
      T lanes[N];
      for (int i = 0; i < N; ++i) lanes[i] = record(i)[k];
      out.field[k] = Wide<T, N>::load(lanes);
    });
  }
  return out;
}
// Of an array of records that are Stride scalars long, those with these indices.
template <int K, int Stride = K, class T, int N>
CAIRN_INLINE Records<T, N, K> gather_records(const T* base, const Indices<N>& indices) {
  static_assert(K <= Stride);
  return gather_from<T, N, K>([&](int i)
                                  CAIRN_INLINE_LAMBDA { return base + std::size_t{indices.at[i]} * Stride; });
}

// And back, record after record: of lanes that share one, the last counts. (Writing chunk after chunk needs
// fewer registers, but took a third longer: a processor merges neighbouring stores only if they follow each
// other.)
template <class T, int N, int K, class F>
CAIRN_INLINE void scatter_to(const F& record, const Records<T, N, K>& records) {
  using R = Register<T, N>;
  constexpr int C = R::k_chunk;
  if constexpr (K >= C) {
    typename R::Value pieces[k_chunks<K, C>][C];
    unroll<k_chunks<K, C>>([&](int chunk) CAIRN_INLINE_LAMBDA {
      typename R::Value fields[C];
      unroll<C>([&](int k)
                    CAIRN_INLINE_LAMBDA { fields[k] = records.field[first_field<K, C>(chunk) + k].v; });
      R::transpose(fields, pieces[chunk]);
    });
    unroll<N>([&]<int Lane>(Constant<Lane>) CAIRN_INLINE_LAMBDA {
      T* const to = record(Lane);
      unroll<k_chunks<K, C>>([&](int chunk) CAIRN_INLINE_LAMBDA {
        R::template store_piece<Lane / C>(to + first_field<K, C>(chunk), pieces[chunk][Lane % C]);
      });
    });
  } else {
    T lanes[K][N];
    unroll<K>([&](int k) CAIRN_INLINE_LAMBDA { records.field[k].store(lanes[k]); });
    for (int i = 0; i < N; ++i)
      for (int k = 0; k < K; ++k) record(i)[k] = lanes[k][i];
  }
}
template <int K, int Stride = K, class T, int N>
CAIRN_INLINE void scatter_records(T* base, const Indices<N>& indices, const Records<T, N, K>& records) {
  static_assert(K <= Stride);
  scatter_to([&](int i) CAIRN_INLINE_LAMBDA { return base + std::size_t{indices.at[i]} * Stride; }, records);
}

}  // namespace cairn::CAIRN_SET
