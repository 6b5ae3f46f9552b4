#!/bin/sh
# What the library does not contain, and why: forbidden.sh ROOT
#
# Most of it would make results differ between processors, compilers or runs. Comments and strings may speak
# of everything.
set -u
cd "$1" || exit 1
. ./tests/repo/files.sh

# shellcheck disable=SC2046  # file names here have no spaces
awk '
  function complain(text) { print FILENAME ":" FNR ": " text; bad = 1 }
  function forbid(pattern, reason) { if (code ~ pattern) complain(reason) }
  FNR == 1 { condition = "" }
  {
    code = $0 " "
    gsub(/"([^"\\]|\\.)*"/, "\"\"", code)
    sub(/\/\/.*/, " ", code)
  }
  {
    functions = "(a?sinh?|a?cosh?|a?tanh?|atan2|sincos|exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot" \
                "|erfc?|[tl]gamma)"
    forbid("(std::|__builtin_)" functions "[fl]?[^a-z0-9_]",
           "the C library computes this differently on different processors; use cairn::portable")
    forbid("_mm[0-9]*_(mask_|maskz_)?(rsqrt|rcp)", "approximate reciprocals differ between makers of processors")
    forbid("_mm[0-9]*_(mask_|maskz_)?fn?m(add|sub)", "a fused multiply-add rounds once where other machines do twice")
    forbid("std::unordered_", "the order of an unordered container differs between standard libraries")
    forbid("std::hash[^a-z0-9_]", "std::hash differs between standard libraries; use base/state_hash.h")
    forbid("std::[a-z_]+_distribution", "distributions differ between standard libraries")
    forbid("std::random_device", "nothing here depends on chance")
    forbid("shared_ptr", "ownership is plain: one owner, ids for everyone else")
    forbid("^[ \t]*#[ \t]*(el)?if.*DIM", "the dimension is not asked for; write it twice, side by side")
    forbid("is_same(_v)?<[^>]*Dim[23]", "the dimension is not asked for; write it twice, side by side")
  }
  # A condition may run over several lines: collect it until its parentheses close.
  condition != "" || code ~ /if constexpr/ {
    condition = condition code
    if (condition ~ /if constexpr/ && gsub(/\(/, "(", condition) <= gsub(/\)/, ")", condition)) {
      sub(/.*if constexpr/, "", condition)
      if (condition ~ /Dim[23]|D::(n|dim|k_[a-z]+)[^a-z_]/)
        complain("the dimension is not asked for; write it twice, side by side")
      condition = ""
    }
  }
  END { exit bad }
' $(ours '*.h' '*.cpp' '*.inl' | grep -E '^(src|include)/') || status=1

# shellcheck disable=SC2046
awk '
  { code = $0; sub(/#.*/, "", code) }
  code ~ /-ffast-math|-Ofast|-funsafe-math|-fassociative-math|-freciprocal-math|-ffp-contract=(on|fast)|=native/ {
    print FILENAME ":" FNR ": results must not depend on the machine that compiles"
    bad = 1
  }
  END { exit bad }
' $(ours CMakeLists.txt '*.cmake' CMakePresets.json) || status=1
exit $status
