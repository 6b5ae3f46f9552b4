#!/bin/sh
# Installs the library that was built, and looks at what its users would inherit: package.sh SOURCE BUILD PREFIX
set -eu
source=$1 build=$2 prefix=$3

rm -rf "$prefix"
cmake --install "$build" --prefix "$prefix"

status=0
complain() { echo "$*" >&2; status=1; }

for header in "$source"/include/cairn/*.h; do
  cmp "$header" "$prefix/include/cairn/${header##*/}" || status=1
done
# Only the threads of the system may show.
grep INTERFACE_LINK_LIBRARIES "$(find "$prefix" -name cairnTargets.cmake)" |
  sed 's/.*LIBRARIES *"//; s/".*//; s/\\\$<LINK_ONLY:\([^>]*\)>/\1/g' | tr ';' '\n' | sort -u >"$prefix/links"
while read -r link; do
  case $link in
    "" | Threads::Threads) ;;
    *) complain "users of cairn::cairn would need $link: link it as \$<BUILD_INTERFACE:$link>" ;;
  esac
done <"$prefix/links"
if grep -rn -e "$source" -e "$build" "$prefix/lib"*/cmake "$prefix/lib"*/pkgconfig; then
  complain "the package names directories of this build"
fi
exit $status
