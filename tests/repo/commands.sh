#!/bin/sh
# What the documents tell a newcomer to type is there: commands.sh ROOT
set -u
cd "$1" || exit 1
. ./tests/repo/files.sh

for file in cairn .ci/run tools/bare-check; do
  [ -x "$file" ] || complain "$file is missing or not executable"
done
for command in './cairn' './cairn test'; do
  grep -qE "^$command( +#.*)?\$" README.md || complain "README.md does not show the command $command"
done
grep -q '^\./cairn test' .ci/run || complain ".ci/run does not call ./cairn test"
for preset in $(grep -ohE -e '--preset [a-z]+' ./*.md | sed 's/.* //' | sort -u); do
  grep -q "\"name\": \"$preset\"" CMakePresets.json || complain "a document names the preset $preset, which does not exist"
done

# tools/packages: a group, a package and its probe on each line, each package once, the two groups not empty.
grep -vE '^(#|$)' tools/packages | awk '
  NF != 3 { print "tools/packages: not three words: " $0; bad = 1 }
  seen[$2]++ { print "tools/packages: twice: " $2; bad = 1 }
  { groups[$1] = 1 }
  END { if (!("run" in groups) || !("test" in groups)) { print "tools/packages: no run or no test group"; bad = 1 }
        exit bad }' || status=1
exit $status
