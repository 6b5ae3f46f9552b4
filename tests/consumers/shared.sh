#!/bin/sh
# A shared library, installed and used both ways: shared.sh SOURCE WORK_DIR COMPILER
set -eu
source=$1 work=$2 compiler=$3
consumers=$source/tests/consumers

cmake -G Ninja -S "$source" -B "$work/build" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS=-O0 \
  -DBUILD_SHARED_LIBS=ON -DCAIRN_TESTS=OFF
cmake --build "$work/build"
rm -rf "$work/prefix"
cmake --install "$work/build" --prefix "$work/prefix"
ls "$work"/prefix/lib*/libcairn.so
sh "$consumers/cmake.sh" "$source" "$work/find_package" find_package "$compiler" -DCMAKE_PREFIX_PATH="$work/prefix"
sh "$consumers/pkg_config.sh" "$source" "$work/pkg_config" "$work/prefix" "$compiler"
