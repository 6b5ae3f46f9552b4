#!/bin/sh
# A check that cannot fail is a defect: each is shown a small tree that is right and then trees with one fault
# each, and must find it: checks_can_fail.sh ROOT WORK_DIR
set -u
root=$1 work=$2
checks=$root/tests/repo
tree=$work/tree
status=0

# put FILE  Writes stdin to a file of the tree.
put() { mkdir -p "$tree/$(dirname "$1")"; cat >"$tree/$1"; }

# A tree in which nothing is wrong.
sound() {
  rm -rf "$work"
  mkdir -p "$tree/tests/repo" "$tree/.ci" "$tree/tools"
  cp "$checks/files.sh" "$tree/tests/repo"
  cp "$root/.clang-format" "$tree"
  printf '#pragma once\n#include <string>\n' | put include/cairn/error.h
  printf '#include <cairn/error.h>\n\n#include "base/assert.h"\n' | put src/math/a.cpp
  printf '#pragma once\n// std::sin is not for us, nor is shared_ptr.\n' | put src/base/assert.h
  printf '#include <cairn/error.h>\n\n#include "own.h"\n' | put apps/cli/main.cpp
  printf '#pragma once\n' | put apps/cli/own.h
  echo 'Read `src/math/a.cpp` and [this](README.md).' | put ARCHITECTURE.md
  printf '```sh\n./cairn\n./cairn test   # all of it\n```\ncmake --preset release\n' | put README.md
  echo '"name": "release"' | put CMakePresets.json
  echo 'add_compile_options(-Wall)  # never -ffast-math' | put CMakeLists.txt
  printf 'run g++ c++\ntest clang clang++\n' | put tools/packages
  printf '#!/bin/sh\necho\n' | tee "$tree/cairn" >"$tree/tools/bare-check"
  printf '#!/bin/bash\n./cairn test\n' | put .ci/run
  chmod +x "$tree/cairn" "$tree/.ci/run" "$tree/tools/bare-check"
}

# finds CHECK TEXT  The check must fail on the tree as it now is, and say TEXT. The tree is then mended.
finds() {
  sh "$checks/$1.sh" "$tree" >"$work/out" 2>&1
  case $? in
    77) return ;;
    0) echo "$1 does not see: $2"; status=1 ;;
    *) grep -qF -e "$2" "$work/out" || { echo "$1 says not \"$2\" but:"; cat "$work/out"; status=1; } ;;
  esac
  sound
}

sound
for check in format layers forbidden paths size scripts commands; do
  sh "$checks/$check.sh" "$tree" >"$work/out" 2>&1
  case $? in 0 | 77) ;; *) echo "$check complains of a sound tree:"; cat "$work/out"; status=1 ;; esac
done

echo 'int  x;' | put src/base/b.cpp;                            finds format src/base/b.cpp

echo '#include "math/m.h"' | put src/base/b.cpp; : | put src/math/m.h; finds layers 'base is below math'
echo '#include "assert.h"' | put src/base/b.cpp;                finds layers 'write the path from src/'
echo '#include <base/assert.h>' | put src/base/b.cpp;           finds layers 'is a private header'
: | put include/cairn/math.h; echo '#include <cairn/math.h>' | put src/base/b.cpp; finds layers 'base is below math'
echo | put include/cairn/new.h;    finds layers 'to which layer does <cairn/new.h> belong'
echo '#include <Eigen/Core>' | put include/cairn/error.h;       finds layers 'not <Eigen/Core>'
echo '#include "base/assert.h"' | put include/cairn/error.h;    finds layers 'public headers include <cairn/'
echo 'int x;' | put src/odd/x.cpp;                              finds layers 'src/odd is not a layer'
echo '#include "../../src/base/assert.h"' | put apps/cli/x.cpp; finds layers 'their own files'
echo '#include "base/assert.h"' | put apps/cli/x.cpp;           finds layers 'their own files'
echo '#include "benchmarks/absent.h"' | put apps/cli/x.cpp;     finds layers 'their own files'
echo '#include <base/assert.h>' | put apps/cli/x.cpp;           finds layers 'is a private header'

for code in 'y = std::sin(x);' 'using std::pow;' 'y = __builtin_exp(x);' 'y = std::atan2f(x, 1);'; do
  echo "$code" | put src/base/b.cpp;                            finds forbidden 'cairn::portable'
done
echo 'std::unordered_map<int, int> m;' | put src/base/b.cpp;    finds forbidden 'unordered container'
echo 'std::shared_ptr<int> p;' | put include/cairn/error.h;     finds forbidden 'one owner'
echo 'std::hash<int>{}(1);' | put src/base/b.cpp;               finds forbidden 'std::hash'
echo 'std::normal_distribution<> d;' | put src/base/b.cpp;      finds forbidden 'distributions'
echo 'std::random_device r;' | put src/base/b.cpp;              finds forbidden 'chance'
echo 'x = _mm256_rcp_ps(x);' | put src/base/b.cpp;              finds forbidden 'reciprocals'
echo 'x = _mm256_fmadd_ps(x, x, x);' | put src/base/b.cpp;      finds forbidden 'multiply-add'
echo '#if CAIRN_DIM == 2' | put src/base/b.cpp;                 finds forbidden 'side by side'
echo 'if constexpr (D::k_dof == 3) {' | put src/base/b.cpp;     finds forbidden 'side by side'
printf 'if constexpr (f(x) &&\n  g<Dim2>()) {\n' | put src/base/b.cpp; finds forbidden 'side by side'
echo 'return is_same_v<D, Dim3> ? 1 : 2;' | put src/base/b.cpp; finds forbidden 'side by side'
echo 'add_compile_options(-ffast-math)' | put CMakeLists.txt;   finds forbidden 'the machine that compiles'

echo 'See `src/math/gone.cpp`.' | put ARCHITECTURE.md;          finds paths 'src/math/gone.cpp'
echo 'See [it](docs/gone.md) in `src/math/`.' | put ARCHITECTURE.md; finds paths 'docs/gone.md'
echo 'Words.' | put ARCHITECTURE.md;                            finds paths 'names no path'
echo 'See `GONE.md`.' | put docs/page.md;                       finds paths 'GONE.md'

yes 'int x;' | head -n 801 | put src/base/b.cpp;                finds size '801 lines'
printf '#!/bin/sh\nif true; then\n' | put tools/broken;         finds scripts 'tools/broken'
chmod -x "$tree/cairn";                                         finds commands 'cairn is missing or not executable'
echo './cairn' | put README.md;                                 finds commands './cairn test'
echo 'true' | put .ci/run;                                      finds commands '.ci/run does not call'
echo 'cmake --preset gone' | put CONTRIBUTING.md;               finds commands 'preset gone'
printf 'run g++ c++\ntest clang\n' | put tools/packages;        finds commands 'not three words'
printf 'run g++ c++\ntest g++ c++\n' | put tools/packages;      finds commands 'twice'

# libm reads a library, so it needs a compiler.
if command -v c++ >/dev/null && command -v nm >/dev/null; then
  for code in 'return sin(x);:1' 'return pow(x, 0.3);:1' 'return tgamma(x);:1' 'return floor(x) + nearbyint(x);:0'; do
    printf '#include <math.h>\ndouble f(double x) { %s }\n' "${code%:*}" >"$work/f.cpp"
    c++ -c "$work/f.cpp" -o "$work/f.o" && rm -f "$work/f.a" && ar rc "$work/f.a" "$work/f.o"
    sh "$checks/libm.sh" "$work/f.a" >"$work/out" 2>&1
    [ $? = "${code##*:}" ] || { echo "libm is wrong about: $code"; cat "$work/out"; status=1; }
  done
fi
exit $status
