// Exact sums and products of doubles, as expansions: unevaluated sums of doubles that do not overlap.
//
// After J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates",
// Discrete & Computational Geometry 18 (1997); the theorems named below are his. An expansion keeps its parts
// in increasing magnitude, strongly non-overlapping and without zeros, so its sign is that of its last part.
// Each operation preserves that under round-to-even. Because zeros are dropped, differences that happen to be
// exact have one part instead of two and everything built from them shrinks: there is no need for separate
// code for "the tails are zero".
//
// Nothing here may overflow or underflow; predicates.cpp scales its input so that nothing does.
#pragma once

#include <cairn/math.h>

#include <cfloat>

namespace cairn::exact {

static_assert(FLT_EVAL_METHOD == 0, "expansions need every operation rounded to double");

struct Pair {  // high + low, exactly, with high the rounded result
  double high, low;
};

// Theorem 6, fast-two-sum: needs |a| ≥ |b| or a = 0.
CAIRN_INLINE Pair fast_two_sum(double a, double b) {
  const double high = a + b;
  return {high, b - (high - a)};
}
// Theorem 7, two-sum (Knuth).
CAIRN_INLINE Pair two_sum(double a, double b) {
  const double high = a + b;
  const double b_virtual = high - a;
  const double a_virtual = high - b_virtual;
  return {high, (a - a_virtual) + (b - b_virtual)};
}
// Theorem 17, split (Dekker): two halves of 26 bits each, whose products are exact.
CAIRN_INLINE Pair split(double a) {
  constexpr double k_splitter = 134217729;  // 2²⁷ + 1
  const double c = k_splitter * a;
  const double high = c - (c - a);
  return {high, a - high};
}
// Theorem 18, two-product (Dekker, Veltkamp). A fused multiply-add would be shorter, but not every machine
// has one.
CAIRN_INLINE Pair two_product(double a, double b) {
  const double high = a * b;
  const Pair x = split(a), y = split(b);
  const double error = ((high - x.high * y.high) - x.low * y.high) - x.high * y.low;
  return {high, x.low * y.low - error};
}

template <int Capacity>
struct Expansion {
  double parts[Capacity];
  int count = 0;

  CAIRN_INLINE void append(double part) {
    if (part != 0) parts[count++] = part;
  }
  int sign() const { return count == 0 ? 0 : parts[count - 1] > 0 ? 1 : -1; }
  // The value, to within an ulp or so.
  double rounded() const {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += parts[i];
    return sum;
  }
};

// a − b.
inline Expansion<2> difference(double a, double b) {
  const Pair d = two_sum(a, -b);
  Expansion<2> e;
  e.append(d.low);
  e.append(d.high);
  return e;
}

template <int N>
Expansion<N> operator-(Expansion<N> e) {
  for (int i = 0; i < e.count; ++i) e.parts[i] = -e.parts[i];
  return e;
}

// Theorem 13, fast-expansion-sum: the parts of both, merged by magnitude, are summed one after another.
template <int M, int N>
Expansion<M + N> operator+(const Expansion<M>& e, const Expansion<N>& f) {
  Expansion<M + N> sum;
  double running = 0;
  int i = 0, j = 0;
  while (i < e.count || j < f.count) {
    const bool from_e = j == f.count || (i < e.count && absolute(e.parts[i]) < absolute(f.parts[j]));
    const Pair s = two_sum(running, from_e ? e.parts[i++] : f.parts[j++]);
    running = s.high;
    sum.append(s.low);
  }
  sum.append(running);
  return sum;
}
template <int M, int N>
Expansion<M + N> operator-(const Expansion<M>& e, const Expansion<N>& f) {
  return e + -f;
}

// Theorem 19, scale-expansion.
template <int N>
Expansion<2 * N> operator*(const Expansion<N>& e, double b) {
  Expansion<2 * N> product;
  if (e.count == 0) return product;
  Pair running = two_product(e.parts[0], b);
  product.append(running.low);
  for (int i = 1; i < e.count; ++i) {
    const Pair term = two_product(e.parts[i], b);
    const Pair s = two_sum(running.high, term.low);
    product.append(s.low);
    running = fast_two_sum(term.high, s.high);
    product.append(running.low);
  }
  product.append(running.high);
  return product;
}
// Times a difference: part by part.
template <int N>
Expansion<4 * N> operator*(const Expansion<N>& e, const Expansion<2>& f) {
  if (f.count == 0) return {};
  if (f.count == 1) return e * f.parts[0] + Expansion<2 * N>{};
  return e * f.parts[0] + e * f.parts[1];
}

}  // namespace cairn::exact
