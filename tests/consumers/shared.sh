#!/bin/sh
# A project that carries Cairn's sources, as a shared library; that library installed, and used both ways. One build for all:
# shared.sh SOURCE WORK_DIR COMPILER
set -eu
source=$1 work=$2 compiler=$3
consumers=$source/tests/consumers

sh "$consumers/cmake.sh" "$source" "$work/add_subdirectory" add_subdirectory "$compiler" -DCAIRN_SOURCE="$source" \
  -DBUILD_SHARED_LIBS=ON -DCAIRN_INSTALL=ON
rm -rf "$work/prefix"
cmake --install "$work/add_subdirectory/build" --prefix "$work/prefix"
ls "$work"/prefix/lib*/libcairn.so
sh "$consumers/cmake.sh" "$source" "$work/find_package" find_package "$compiler" -DCMAKE_PREFIX_PATH="$work/prefix"
sh "$consumers/pkg_config.sh" "$source" "$work/pkg_config" "$work/prefix" "$compiler"
