#!/bin/sh
# README's program in a CMake project of a user: cmake.sh SOURCE WORK_DIR PROJECT COMPILER [-DNAME=VALUE]…
set -eu
source=$1 work=$2 project=$3 compiler=$4
shift 4
. "$source/tests/consumers/readme.sh"

start "$work"
cp "$source/tests/consumers/$project/CMakeLists.txt" .
# -O0: here only the wiring is tested.
cmake -G Ninja -S . -B build -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS=-O0 "$@"
cmake --build build
check_program build/consumer
