#!/bin/sh
# ./cairn does what its first lines promise: wrapper.sh ROOT WORK_DIR
#
# It runs in a clone of its own, whose path has a space, with stand-ins for the compiler, cmake, ctest, apt-get
# and sudo that write down how they were called. Nothing is installed or compiled.
set -eu
root=$1 work=$2
rm -rf "$work"
mkdir -p "$work/a clone/tools" "$work/bin" "$work/elsewhere"
work=$(readlink -f "$work")
clone="$work/a clone"
cp "$root/cairn" "$clone"
calls=$work/calls
export calls clone

for tool in cat chmod dirname env flock grep id ln mkdir mv nproc readlink rm sed touch; do
  ln -s "$(command -v $tool)" "$work/bin/$tool"
done
PATH=$work/bin

# stand_in NAME  A command whose text comes from stdin.
stand_in() {
  { printf '#!/bin/sh\necho "%s $*" >>"$calls"\n' "$1"; cat; } >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
stand_in c++ <<'END'
! grep -q absent
END
stand_in ctest <<'END'
exit ${ctest_exit-0}
END
stand_in cmake <<'END'
cat >/dev/null # as greedy as can be: the program's stdin must be safe from it
build=$clone/build/release
case "$*" in
  *--preset*)
    mkdir -p "$build/bin"
    touch "$build/build.ninja"
    echo "CMAKE_HOME_DIRECTORY:INTERNAL=$clone" >"$build/CMakeCache.txt"
    case "$*" in *TESTS=ON*) echo CAIRN_TESTS:BOOL=ON >>"$build/CMakeCache.txt" ;; esac
    echo "-- Configuring" ;;
  --build*)
    if [ -e "$clone/broken" ]; then printf "main.cpp:1: error\\nno such thing"; exit 1; fi
    if [ -e "$build/bin/cairn" ]; then
      echo "[0/1] Re-checking globbed directories..."
      echo "ninja: no work to do."
      exit
    fi
    echo "[1/1] Building CXX object main.cpp.o"
    cat >"$build/bin/cairn" <<'PROGRAM'
#!/bin/sh
printf '<%s>' "$@"
printf ' in %s' "$(pwd)"
[ "${1-}" != stdin ] || { printf ' read '; cat; }
exit 7
PROGRAM
    chmod +x "$build/bin/cairn" ;;
esac
END

# try COMMAND…  Runs it, keeping what it said and its exit code.
try() {
  : >"$calls"
  code=0
  "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
}
fail() {
  echo "FAILED: $*"
  echo "exit code $code"
  for file in out err calls; do echo "--- $file"; cat "$work/$file"; done
  exit 1
}
exits() { [ "$code" = "$1" ] || fail "exit code, expected $1"; }
says() { [ "$(cat "$work/$1")" = "$2" ] || fail "$1, expected: $2"; }
mentions() { grep -qF -e "$2" "$work/$1" || fail "$1 does not mention: $2"; }
omits() { ! grep -qF -e "$2" "$work/$1" || fail "$1 mentions: $2"; }

echo 'run compiler c++' >"$clone/tools/packages"
cd "$work/elsewhere"

# A first run configures without the tests and runs the tour.
try "$clone/cairn"
exits 7
says out "<tour> in $work/elsewhere"
mentions calls "--preset release --fresh -DCAIRN_TESTS=OFF"
mentions calls "--target cairn_program"
says err "cairn: configuring
cairn: building"

# When nothing changed it is silent. Arguments, exit code, directory and stdin are the caller's.
try "$clone/cairn" run "two words" '' '*' --flag=1
exits 7
says out "<run><two words><><*><--flag=1> in $work/elsewhere"
says err ""
omits calls --preset
ln -s "$clone/cairn" "$work/link"
: >"$calls"
says_stdin=$(echo "some text" | "$work/link" stdin) || code=$?
[ "$says_stdin" = "<stdin> in $work/elsewhere read some text" ] || fail "stdin: $says_stdin"

# The tests switch the tests on in the same build, once, and hand over to ctest.
try "$clone/cairn" test -L fast
exits 0
mentions calls "--preset release -DCAIRN_TESTS=ON"
mentions calls "-L fast"
export ctest_exit=8
try "$clone/cairn" test
exits 8
omits calls --preset
try "$clone/cairn"
omits calls --preset

# A build that fails shows its log and runs nothing.
touch "$clone/broken"
try "$clone/cairn"
exits 1
says out ""
mentions err "main.cpp:1: error"
mentions err "no such thing"
rm "$clone/broken"

# What is missing is named, with the command that would help, where we cannot install it ourselves.
echo 'run fine-dev <stdio.h>' >>"$clone/tools/packages"
echo 'run absent-tool absent_command' >>"$clone/tools/packages"
echo 'test absent-dev <absent/header.h>' >>"$clone/tools/packages"
echo 'peers never-dev <never.h>' >>"$clone/tools/packages"
try "$clone/cairn"
exits 1
says out ""
mentions err "missing: absent-tool"
mentions err "no apt-get"

stand_in apt-get <<'END'
[ ! -e "$clone/offline" ] || { echo "Could not resolve 'deb.debian.org'"; exit 100; }
case "$*" in
  *update*) touch "$clone/updated" ;;
  *install*) [ -e "$clone/updated" ] ;;
esac
END
rm "$work/bin/id"
stand_in id <<'END'
echo 1000
END
try "$clone/cairn"
exits 1
mentions err "no sudo"
mentions err "apt-get install --no-install-recommends absent-tool"
omits calls apt-get

# Otherwise just that is installed, with fresh package lists if the first attempt fails, and only then.
stand_in sudo <<'END'
exec "$@"
END
try "$clone/cairn"
exits 7
mentions err "cairn: installing absent-tool"
mentions calls "sudo env DEBIAN_FRONTEND=noninteractive apt-get"
grep -q 'apt-get .*update' "$calls" || fail "no update"
grep -q '^apt-get .*install -y --no-install-recommends absent-tool$' "$calls" || fail "installs something else"
stand_in id <<'END'
echo 0
END
try "$clone/cairn" test
grep -q '^apt-get .*install -y --no-install-recommends absent-tool absent-dev$' "$calls" || fail "wrong packages"
omits calls update
omits calls sudo
touch "$clone/offline"
try "$clone/cairn"
exits 1
says out ""
mentions err "Could not resolve"
mentions err "apt-get install --no-install-recommends absent-tool"

# When everything is there apt-get is left alone; a clone that was moved configures anew.
echo 'run compiler c++' >"$clone/tools/packages"
mv "$clone" "$work/moved"
clone=$work/moved
try "$clone/cairn"
exits 7
mentions calls "--preset release --fresh"
omits calls apt-get
