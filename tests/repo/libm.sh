#!/bin/sh
# The library calls no function of the C library whose result depends on the processor: libm.sh LIBRARY
#
# glibc picks the code of these at start-up, with or without FMA; sqrt, fabs, floor and the like are exact
# and the same everywhere.
set -u
library=$1

command -v nm >/dev/null || { echo "no nm here"; exit 77; }
case $library in
  *.a) symbols=$(nm -u "$library") ;;
  *) symbols=$(nm -uD "$library") ;;
esac
[ -n "$symbols" ] || { echo "$library has no undefined symbols at all: is it the library?"; exit 1; }

names="a?sinh?|a?cosh?|a?tanh?|atan2|sincos|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|cbrt|hypot|erfc?|[tl]gamma"
calls=$(echo "$symbols" | awk '{ sub(/@.*/, "", $NF); print $NF }' | grep -xE "(__)?($names)[fl]?(_finite)?" | sort -u)
[ -z "$calls" ] || { echo "$library calls" $calls "of the C library; use cairn::portable"; exit 1; }
