#!/bin/sh
# README's program, compiled by hand: pkg_config.sh SOURCE WORK_DIR PREFIX COMPILER
set -eu
source=$1 work=$2 prefix=$3 compiler=$4
. "$source/tests/consumers/readme.sh"

start "$work"
library=$(find "$prefix" -name 'libcairn.*' | head -n 1)
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name cairn.pc)")
LD_LIBRARY_PATH=$(dirname "$library")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
# shellcheck disable=SC2046  # flags are split on purpose
"$compiler" -std=c++20 main.cpp -o consumer $(pkg-config --cflags --libs cairn)
check_program ./consumer
