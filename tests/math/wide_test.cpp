// The lane type in every instruction set of this machine, for all lane counts, against plain scalar loops:
// bit for bit, NaN and −0 included.
#include "math/wide_kernels.h"

#include "base/kernel.h"
#include "instruction_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace cairn {

#define CAIRN_WIDE_KERNELS(T)                                                    \
  void apply(wide_test::Op, int, const T*, const T*, const T*, T*, std::size_t); \
  void gather(int, int, const T*, const uint32_t*, T*);                          \
  void scatter(int, int, T*, const uint32_t*, const T*);                         \
  void geometry(int, const T*, T*);                                              \
  static constexpr wide_test::Kernels<T> k_##T##_kernels{apply, gather, scatter, geometry};
CAIRN_EACH_SET(CAIRN_WIDE_KERNELS(float)
                   CAIRN_WIDE_KERNELS(double) void to_double(int, const float*, double*);
               void to_float(int, const double*, float*);
               void first(int, const uint32_t*, std::size_t, uint32_t*); int float_lanes();
               int double_lanes();)

namespace wide_test {
namespace {

template <class T>
const Kernels<T>& kernels(InstructionSet set) {
  if constexpr (std::is_same_v<T, float>)
    return CAIRN_OF_SET(set, k_float_kernels);
  else
    return CAIRN_OF_SET(set, k_double_kernels);
}

template <class T>
using Bits = std::conditional_t<std::is_same_v<T, float>, uint32_t, uint64_t>;

// Equal bits; where `any_nan`, all NaNs are one.
template <class T>
bool same(T a, T b, bool any_nan) {
  return std::bit_cast<Bits<T>>(a) == std::bit_cast<Bits<T>>(b) ||
         (any_nan && std::isnan(a) && std::isnan(b));
}

template <class T>
struct alignas(64) Line {
  T lane[16];
};
template <class T>
struct Array {  // aligned to 64 bytes
  std::vector<Line<T>> lines;
  explicit Array(std::size_t n) : lines((n + 15) / 16) {}
  T* data() { return lines[0].lane; }
  T& operator[](std::size_t i) { return lines[i / 16].lane[i % 16]; }
  std::size_t size() const { return 16 * lines.size(); }
};

template <class T>
std::vector<T> special_values() {
  using L = std::numeric_limits<T>;
  std::vector<T> v = {0,
                      1,
                      T(1) / 3,
                      3,
                      L::infinity(),
                      L::quiet_NaN(),
                      L::max(),
                      L::min(),
                      L::denorm_min(),
                      L::min() / 2,
                      L::epsilon(),
                      1 + L::epsilon(),
                      std::sqrt(L::max()),
                      T(1e10)};
  for (std::size_t i = 0, n = v.size(); i < n; ++i) v.push_back(-v[i]);
  return v;
}

// Arguments: every pair of special values, then random bits (any float there is), then random numbers near 1.
template <class T>
struct Arguments {
  Array<T> a, b, c;
  explicit Arguments(std::size_t random_count) : Arguments(special_values<T>(), random_count) {}

 private:
  Arguments(const std::vector<T>& v, std::size_t random_count)
      : a(v.size() * v.size() + random_count), b(a.size()), c(a.size()) {
    std::mt19937_64 random(7);
    const auto near_one = [&] { return T(int64_t(random()) >> 11) / T(int64_t{1} << 52); };
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (i < v.size() * v.size()) {
        a[i] = v[i % v.size()], b[i] = v[i / v.size()], c[i] = v[random() % v.size()];
      } else if (i % 2) {
        for (T* x : {&a[i], &b[i], &c[i]}) *x = std::bit_cast<T>(Bits<T>(random()));
      } else {
        a[i] = near_one(), b[i] = near_one(), c[i] = near_one();
      }
    }
  }
};

// What lane i is to hold; `first` and `n` are the group it belongs to.
template <class T>
T expected(Op op, Arguments<T>& x, std::size_t i, std::size_t first, std::size_t n) {
  const T a = x.a[i], b = x.b[i], c = x.c[i];
  switch (op) {
    case Op::add:
    case Op::add_in_place:
      return a + b;
    case Op::subtract:
    case Op::subtract_in_place:
      return a - b;
    case Op::multiply:
    case Op::multiply_in_place:
      return a * b;
    case Op::divide:
    case Op::divide_in_place:
      return a / b;
    case Op::multiply_then_add: {
      volatile T product = a * b;
      return product + c;
    }
    case Op::mixed_with_literals:
      return T(2) * a - b / T(3) + T(0.5);
    case Op::square_root:
      return std::sqrt(a);
    case Op::negate:
      return std::bit_cast<T>(Bits<T>(std::bit_cast<Bits<T>>(a) ^ Bits<T>{1} << (8 * sizeof(T) - 1)));
    case Op::absolute:
      return std::bit_cast<T>(Bits<T>(std::bit_cast<Bits<T>>(a) & ~(Bits<T>{1} << (8 * sizeof(T) - 1))));
    case Op::smaller:
      return b < a ? b : a;
    case Op::larger:
      return a < b ? b : a;
    case Op::clamp: {
      const T at_least = a < b ? b : a;
      return c < at_least ? c : at_least;
    }
    case Op::select:
      return a < b ? c : a;
    case Op::zero:
      return 0;
    case Op::copy:
    case Op::copy_aligned:
      return a;
    case Op::less:
      return a < b;
    case Op::less_or_equal:
      return a <= b;
    case Op::greater:
      return a > b;
    case Op::greater_or_equal:
      return a >= b;
    case Op::equal:
      return a == b;
    case Op::not_equal:
      return a != b;
    case Op::is_finite:
      return std::isfinite(a);
    case Op::both:
      return a < b && b < c;
    case Op::either:
      return a < b || b < c;
    case Op::neither:
      return !(a < b || b < c);
    case Op::any:
    case Op::all:
    case Op::bits: {
      uint32_t bits = 0;
      for (std::size_t k = 0; k < n; ++k) bits |= uint32_t(x.a[first + k] < x.b[first + k]) << k;
      return op == Op::any ? bits != 0 : op == Op::all ? bits == (1u << n) - 1 : T(bits);
    }
  }
  return 0;
}

template <class T>
void check_operations(InstructionSet set) {
  Arguments<T> x(4096);
  for (std::size_t i = 0; i < 64; ++i)
    x.a[i] = T(i), x.b[i] = T(i) + 1;  // so that all() is true now and then
  Array<T> out(x.a.size());
  for (int lanes : k_lane_counts) {
    const std::size_t n = std::size_t(lanes);
    for (int k = 0; k < k_ops; ++k) {
      kernels<T>(set).apply(Op(k), lanes, x.a.data(), x.b.data(), x.c.data(), out.data(), out.size());
      int wrong = 0;
      for (std::size_t i = 0; i < out.size(); ++i) {
        const T right = expected(Op(k), x, i, i / n * n, n);
        if (!same(out[i], right, k < k_first_exact_op) && ++wrong <= 3)
          ADD_FAILURE() << "op " << k << " of " << lanes << " lanes: (" << x.a[i] << ", " << x.b[i] << ", "
                        << x.c[i] << ") gave " << out[i] << ", not " << right;
      }
    }
  }
}

template <class T>
void check_records(InstructionSet set) {
  std::mt19937_64 random(3);
  for (int lanes : k_lane_counts)
    for (int fields : k_field_counts) {
      SCOPED_TRACE(testing::Message() << lanes << " lanes, " << fields << " fields");
      const std::size_t n = std::size_t(lanes), f = std::size_t(fields), apart = std::size_t(stride(fields));
      // As many records as lanes, each taken once; behind the fields of the last there is no memory.
      std::vector<T> records((n - 1) * apart + f);
      for (std::size_t i = 0; i < records.size(); ++i) records[i] = T(i + 1);
      const std::vector<T> before = records;
      std::vector<uint32_t> indices(n);
      for (std::size_t i = 0; i < n; ++i) indices[i] = uint32_t(i);
      std::shuffle(indices.begin(), indices.end(), random);

      std::vector<T> gathered(n * f);
      kernels<T>(set).gather(lanes, fields, records.data(), indices.data(), gathered.data());
      for (std::size_t k = 0; k < f; ++k)
        for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(gathered[k * n + i], records[indices[i] * apart + k]);

      for (T& x : gathered) x = -x;
      kernels<T>(set).scatter(lanes, fields, records.data(), indices.data(), gathered.data());
      for (std::size_t i = 0; i < records.size(); ++i)
        EXPECT_EQ(records[i], i % apart < f ? -before[i] : before[i]) << "scalar " << i;

      // Of lanes that share a record, the last counts.
      for (uint32_t& i : indices) i /= 2;
      kernels<T>(set).scatter(lanes, fields, records.data(), indices.data(), gathered.data());
      for (std::size_t r = 0; r < n / 2; ++r) {
        std::size_t last = n - 1;
        while (indices[last] != r) --last;
        for (std::size_t k = 0; k < f; ++k) EXPECT_EQ(records[r * apart + k], gathered[k * n + last]);
      }
    }
}

template <class T>
void check_geometry(InstructionSet set) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> u(-2, 2);
  for (int repeat = 0; repeat < 50; ++repeat)
    for (int lanes : k_lane_counts) {
      const std::size_t n = std::size_t(lanes);
      std::vector<T> in(k_geometry_in * n), out(k_geometry_out * n);
      for (T& x : in) x = T(u(random));
      kernels<T>(set).geometry(lanes, in.data(), out.data());
      for (std::size_t i = 0; i < n; ++i) {
        T scalar_in[k_geometry_in], scalar_out[k_geometry_out];
        for (std::size_t k = 0; k < k_geometry_in; ++k) scalar_in[k] = in[k * n + i];
        geometry(scalar_in, scalar_out);
        for (std::size_t k = 0; k < k_geometry_out; ++k)
          EXPECT_TRUE(same(out[k * n + i], scalar_out[k], false))
              << "output " << k << ": " << out[k * n + i] << ", not " << scalar_out[k];
      }
    }
}

class Wide : public EverySet {};
CAIRN_TEST_EVERY_SET(Wide);

TEST_P(Wide, floats_are_those_of_scalar_loops) { check_operations<float>(GetParam()); }
TEST_P(Wide, doubles_are_those_of_scalar_loops) { check_operations<double>(GetParam()); }
TEST_P(Wide, records_of_floats_reach_their_lanes_and_return) { check_records<float>(GetParam()); }
TEST_P(Wide, records_of_doubles_reach_their_lanes_and_return) { check_records<double>(GetParam()); }
TEST_P(Wide, floats_are_scalars_of_vectors_and_rotations) { check_geometry<float>(GetParam()); }
TEST_P(Wide, doubles_are_scalars_of_vectors_and_rotations) { check_geometry<double>(GetParam()); }

// 1 + 2⁻³⁰ squared is 1 + 2⁻²⁹ + 2⁻⁶⁰, whose last term only a fused operation would keep.
TEST_P(Wide, products_are_rounded_before_they_are_added) {
  Array<double> a(16), c(16), out(16);
  for (std::size_t i = 0; i < 16; ++i) a[i] = 1 + 0x1p-30, c[i] = -(1 + 0x1p-29);
  for (int lanes : k_lane_counts) {
    kernels<double>(GetParam())
        .apply(Op::multiply_then_add, lanes, a.data(), a.data(), c.data(), out.data(), 16);
    for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(out[i], 0);
  }
}

TEST_P(Wide, conversions_round_like_scalars) {
  Arguments<float> x(4096);
  Arguments<double> y(4096);
  const auto to_double = CAIRN_OF_SET(GetParam(), to_double);
  const auto to_float = CAIRN_OF_SET(GetParam(), to_float);
  for (int lanes : k_lane_counts) {
    const std::size_t n = std::size_t(lanes);
    for (std::size_t first = 0; first < x.a.size(); first += n) {
      double wide[16];
      to_double(lanes, &x.a[first], wide);
      for (std::size_t i = 0; i < n; ++i) EXPECT_TRUE(same(wide[i], double(x.a[first + i]), true));
    }
    for (std::size_t first = 0; first < y.a.size(); first += n) {
      float narrow[16];
      to_float(lanes, &y.a[first], narrow);
      for (std::size_t i = 0; i < n; ++i) EXPECT_TRUE(same(narrow[i], float(y.a[first + i]), true));
    }
  }
}

TEST_P(Wide, missing_lanes_repeat_the_last_index) {
  const auto load_first = CAIRN_OF_SET(GetParam(), first);
  for (int lanes : k_lane_counts)
    for (std::size_t count = 1; count <= std::size_t(lanes); ++count) {
      std::vector<uint32_t> indices(count);
      for (std::size_t i = 0; i < count; ++i) indices[i] = uint32_t(10 + i);
      uint32_t out[16];
      load_first(lanes, indices.data(), count, out);
      for (std::size_t i = 0; i < std::size_t(lanes); ++i)
        EXPECT_EQ(out[i], 10 + (i < count ? i : count - 1));
    }
}

TEST_P(Wide, natural_lane_counts_fill_a_register) {
  const int floats = CAIRN_OF_SET(GetParam(), float_lanes)(),
            doubles = CAIRN_OF_SET(GetParam(), double_lanes)();
  EXPECT_EQ(floats, GetParam() == InstructionSet::x86_64_v4   ? 16
                    : GetParam() == InstructionSet::x86_64_v3 ? 8
                                                              : 4);
  EXPECT_EQ(doubles, GetParam() == InstructionSet::x86_64_v4 ? 8 : 4);
}

}  // namespace
}  // namespace wide_test
}  // namespace cairn
