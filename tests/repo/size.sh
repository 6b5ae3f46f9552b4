#!/bin/sh
# A file of more than 800 lines is two things: size.sh ROOT
set -u
cd "$1" || exit 1
. ./tests/repo/files.sh

for file in cairn $(ours '*.h' '*.cpp' '*.inl' '*.sh' '*.cmake' '*.py' '*.ts' '*.md' CMakeLists.txt); do
  lines=$(wc -l <"$file")
  [ "$lines" -le 800 ] || complain "$file has $lines lines: give each of its parts a name"
done
exit $status
