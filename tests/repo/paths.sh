#!/bin/sh
# Every path that a document names exists: paths.sh ROOT
#
# Paths are what stands in `backticks` and begins with a folder of ours or is a file at the root, and the
# targets of relative links.
set -u
cd "$1" || exit 1
. ./tests/repo/files.sh

folders="src|include|apps|bindings|scenes|validation|benchmarks|tests|tools|cmake|docs|\.ci"
for document in $(ours '*.md'); do
  text=$(awk '/^```/ { fenced = !fenced; next } !fenced' "$document")  # outside fenced blocks
  # The even fields between backticks are code.
  named=$(echo "$text" | awk -F '`' '{ for (i = 2; i <= NF; i += 2) print $i }' |
    grep -E "^(($folders)/[A-Za-z0-9_./*-]*|[A-Za-z_.-]+\.(md|json|txt))\$" | sort -u)
  linked=$(echo "$text" | grep -oE '\]\([^)#:]+[)#]' | sed 's/^..//; s/.$//' | sort -u)
  for path in $named; do
    [ -e "$path" ] || complain "$document names $path, which does not exist"
  done
  for path in $linked; do
    [ -e "$(dirname "$document")/$path" ] || complain "$document links to $path, which does not exist"
  done
  [ "$document" != ARCHITECTURE.md ] || [ -n "$named" ] || complain "ARCHITECTURE.md names no path at all"
done
[ -e ARCHITECTURE.md ] || complain "there is no ARCHITECTURE.md"
exit $status
