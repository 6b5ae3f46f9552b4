# Sourced by the consumer tests: the program of README.md, and what README.md says that it prints. Both are
# read from the page itself, so that it cannot promise what does not work.

# readme_block LANGUAGE  The first fenced block of that language.
readme_block() {
  awk -v fence="\`\`\`$1" '
    $0 == fence && !inside && !found { inside = 1; next }
    inside && $0 == "```" { inside = 0; found = 1 }
    inside
    END { exit !found }' "$source/README.md" ||
    { echo "README.md has no block that opens with \`\`\`$1" >&2; exit 1; }
}

# check_program PROGRAM  Runs it and compares what it prints.
check_program() {
  readme_block text >promised
  "$1" >printed || { echo "README's program failed with exit code $?" >&2; exit 1; }
  diff -u --label "README.md promises" --label "the program prints" promised printed
}

# start WORK_DIR  An empty directory with main.cpp in it.
start() {
  rm -rf "$1"
  mkdir -p "$1"
  cd "$1" || exit
  readme_block cpp >main.cpp
}
