#!/bin/sh
# Every public header compiles alone, without a warning, and needs nothing but the compiler:
# headers.sh SOURCE COMPILER
set -u
source=$1 compiler=$2

command -v "$compiler" >/dev/null || { echo "no $compiler here"; exit 77; }
status=0 count=0
for header in "$source"/include/cairn/*.h; do
  count=$((count + 1))
  echo "#include <cairn/${header##*/}>" |
    "$compiler" -std=c++20 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$source/include" -x c++ - || status=1
done
echo "$count headers"
[ $count -gt 0 ] || status=1
exit $status
