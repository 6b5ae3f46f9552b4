// Integers of any size, just enough to be an oracle: every double is an integer multiple of 2⁻¹⁰⁷⁴, so sums
// and products of doubles can be formed without any floating-point reasoning.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace cairn::test {

class BigInteger {
 public:
  BigInteger() = default;

  // x · 2¹⁰⁷⁴.
  static BigInteger from_double(double x) {
    BigInteger result;
    int exponent;
    const double mantissa = std::frexp(std::fabs(x), &exponent);
    auto bits = static_cast<std::uint64_t>(std::ldexp(mantissa, 53));
    int shift = exponent - 53 + 1074;
    while (shift < 0 && bits != 0) bits >>= 1, ++shift;  // subnormal: the low bits are zero
    if (bits == 0) return result;
    result.negative_ = x < 0;
    result.words_.assign(shift / 32, 0);
    const unsigned __int128 shifted = static_cast<unsigned __int128>(bits) << (shift % 32);
    for (int k = 0; k < 3; ++k) result.words_.push_back(static_cast<std::uint32_t>(shifted >> (32 * k)));
    result.trim();
    return result;
  }

  int sign() const { return words_.empty() ? 0 : negative_ ? -1 : 1; }

  friend BigInteger operator-(BigInteger a) {
    a.negative_ = !a.negative_;
    return a;
  }
  friend BigInteger operator+(const BigInteger& a, const BigInteger& b) {
    BigInteger result;
    if (a.negative_ == b.negative_) {
      result.negative_ = a.negative_;
      std::uint64_t carry = 0;
      for (std::size_t i = 0; i < std::max(a.words_.size(), b.words_.size()); ++i) {
        carry += static_cast<std::uint64_t>(a.word(i)) + b.word(i);
        result.words_.push_back(static_cast<std::uint32_t>(carry));
        carry >>= 32;
      }
      result.words_.push_back(static_cast<std::uint32_t>(carry));
    } else {
      const bool a_larger = compare_magnitude(a, b) >= 0;
      const BigInteger &high = a_larger ? a : b, &low = a_larger ? b : a;
      result.negative_ = high.negative_;
      std::int64_t borrow = 0;
      for (std::size_t i = 0; i < high.words_.size(); ++i) {
        std::int64_t d = static_cast<std::int64_t>(high.word(i)) - low.word(i) - borrow;
        borrow = d < 0;
        if (d < 0) d += std::int64_t{1} << 32;
        result.words_.push_back(static_cast<std::uint32_t>(d));
      }
    }
    result.trim();
    return result;
  }
  friend BigInteger operator-(const BigInteger& a, const BigInteger& b) { return a + -b; }
  friend BigInteger operator*(const BigInteger& a, const BigInteger& b) {
    BigInteger result;
    result.negative_ = a.negative_ != b.negative_;
    result.words_.assign(a.words_.size() + b.words_.size(), 0);
    for (std::size_t i = 0; i < a.words_.size(); ++i) {
      std::uint64_t carry = 0;
      for (std::size_t j = 0; j < b.words_.size() || carry != 0; ++j) {
        carry += static_cast<std::uint64_t>(a.words_[i]) * b.word(j) + result.words_[i + j];
        result.words_[i + j] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
    }
    result.trim();
    return result;
  }

 private:
  std::uint32_t word(std::size_t i) const { return i < words_.size() ? words_[i] : 0; }
  static int compare_magnitude(const BigInteger& a, const BigInteger& b) {
    if (a.words_.size() != b.words_.size()) return a.words_.size() < b.words_.size() ? -1 : 1;
    for (std::size_t i = a.words_.size(); i-- > 0;)
      if (a.words_[i] != b.words_[i]) return a.words_[i] < b.words_[i] ? -1 : 1;
    return 0;
  }
  void trim() {
    while (!words_.empty() && words_.back() == 0) words_.pop_back();
    if (words_.empty()) negative_ = false;
  }

  std::vector<std::uint32_t> words_;  // of the magnitude, lowest first, without leading zeros
  bool negative_ = false;
};

}  // namespace cairn::test
