#!/bin/sh
# Every C++ file looks as clang-format would write it: format.sh ROOT
set -u
cd "$1" || exit 1
. ./tests/repo/files.sh

# Other versions lay out some lines otherwise, so only this one judges.
version=14
for tool in clang-format-$version clang-format; do
  "$tool" --version 2>/dev/null | grep -q "version $version\." && break
  tool=
done
[ -n "$tool" ] || { echo "no clang-format $version here"; exit 77; }

ours '*.h' '*.cpp' '*.inl' | xargs "$tool" --dry-run -Werror ||
  complain "To mend: clang-format -i on the files above"
exit $status
