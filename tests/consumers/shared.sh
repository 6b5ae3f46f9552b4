#!/bin/sh
# A project that carries Cairn's sources, as a shared library; that library installed, and used both ways. Its objects are those
# of ARCHIVE, the static library that was built: to compile them again took six minutes. (So nothing here compiles
# the sources with BUILD_SHARED_LIBS=ON; the objects are the same.)
# shared.sh SOURCE WORK_DIR COMPILER ARCHIVE
set -eu
source=$1 work=$2 compiler=$3 archive=$4
consumers=$source/tests/consumers

sh "$consumers/cmake.sh" "$source" "$work/add_subdirectory" add_subdirectory "$compiler" -DCAIRN_SOURCE="$source" \
  -DBUILD_SHARED_LIBS=ON -DCAIRN_INSTALL=ON -DCAIRN_COMPILED="$archive"
rm -rf "$work/prefix"
cmake --install "$work/add_subdirectory/build" --prefix "$work/prefix"
ls "$work"/prefix/lib*/libcairn.so
sh "$consumers/cmake.sh" "$source" "$work/find_package" find_package "$compiler" -DCMAKE_PREFIX_PATH="$work/prefix"
sh "$consumers/pkg_config.sh" "$source" "$work/pkg_config" "$work/prefix" "$compiler"
