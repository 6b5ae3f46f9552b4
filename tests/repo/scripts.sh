#!/bin/sh
# Shell scripts parse, and shellcheck (where it is installed) has nothing to say: scripts.sh ROOT
set -u
cd "$1" || exit 1
. ./tests/repo/files.sh

for script in $(ours '*' | grep -vE '\.(h|cpp|md)$'); do
  read -r first <"$script" 2>/dev/null || continue
  case $first in
    '#!/bin/sh') shell='sh' ;;
    '#!/bin/bash' | '#!/usr/bin/env bash') shell=bash ;;
    *) case $script in *.sh) shell='sh' ;; *) continue ;; esac ;;
  esac
  "$shell" -n "$script" || status=1
  ! command -v shellcheck >/dev/null || shellcheck -S warning -s "$shell" -e SC2154 "$script" || status=1
done
exit $status
