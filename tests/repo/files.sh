# Sourced by the checks: which files are ours. Everything below the root but what git ignores and hides.

# ours NAME_PATTERN…  Paths from the root, in order. It asks the disk and not git, so that it also works in an
# unpacked archive, and for files that are not committed yet.
ours() {
  for pattern; do
    find . \( -path './build*' -o -path ./out -o -name .git \) -prune -o -type f -name "$pattern" -print
  done | sed 's|^\./||' | LC_ALL=C sort
}

# complain TEXT  Says what is wrong; the check that sources this ends with `exit $status`.
status=0
complain() {
  echo "$*"
  # shellcheck disable=SC2034
  status=1
}
