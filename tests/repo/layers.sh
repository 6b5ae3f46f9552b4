#!/bin/sh
# Who includes whom: layers.sh ROOT
#
# A folder of src/ includes only itself and the folders before it in `order`. A public header belongs to the
# layer that implements it. Public headers show their users nothing but the standard library. Programs in
# apps/ use only the public headers, those of benchmarks/ and their own files.
set -u
cd "$1" || exit 1
. ./tests/repo/files.sh

order="base math geometry broadphase narrowphase graph bodies constraints forces solvers world assemblies scene"
public="error:base id:base instruction_set:base math:math field:math time_function:math shape:geometry shape_fields:geometry material:narrowphase filter:broadphase sleep:bodies body:bodies"
public="$public integrator:bodies broad_phase:broadphase joint:constraints joint_fields:constraints force:forces solver:solvers method:world contact:world query:world world:world cairn:world"

# shellcheck disable=SC2046  # file names here have no spaces
awk -v order="$order" -v public="$public" '
  BEGIN {
    count = split(order, folders, " ")
    for (i = 1; i <= count; i++) rank[folders[i]] = i
    count = split(public, headers, " ")
    for (i = 1; i <= count; i++) {
      split(headers[i], pair, ":")
      layer_of["cairn/" pair[1] ".h"] = pair[2]
    }
  }
  function complain(text) { print FILENAME ":" FNR ": " text; bad = 1 }
  function exists(path,   line, there) { there = (getline line < path) >= 0; close(path); return there }
  function public_layer(header) {
    if (!(header in layer_of)) {
      complain("to which layer does <" header "> belong? Say so in tests/repo/layers.sh")
      return ""
    }
    return layer_of[header]
  }
  function check_order(target, target_layer) {
    if (from in rank && target_layer in rank && rank[target_layer] > rank[from])
      complain(from " is below " target_layer " and cannot include " target)
  }

  FNR == 1 {
    split(FILENAME, part, "/")
    tree = part[1]
    from = ""
    if (tree == "src") {
      from = part[2]
      if (!(from in rank)) complain("src/" from " is not a layer; the layers are listed in tests/repo/layers.sh")
    } else if (tree == "include") {
      from = public_layer(substr(FILENAME, length("include/") + 1))
    }
  }

  /^[ \t]*#[ \t]*include/ {
    quoted = $0 ~ /include[ \t]*"/
    target = $0
    sub(/^[^"<]*["<]/, "", target)
    sub(/[">].*/, "", target)
    if (!quoted && target ~ /^cairn\//) {
      check_order("<" target ">", public_layer(target))
    } else if (!quoted && exists("src/" target)) {
      complain("<" target "> is a private header" (tree == "src" ? ": include it with quotes" : ""))
    } else if (!quoted && tree == "include" && target ~ /[.\/]/) {
      complain("public headers include the standard library and <cairn/…> only, not <" target ">")
    } else if (quoted && tree == "include") {
      complain("public headers include <cairn/…>, not \"" target "\"")
    } else if (quoted && tree == "src") {
      if (!exists("src/" target)) complain("write the path from src/: \"" target "\" is not there")
      split(target, part, "/")
      check_order("\"" target "\"", part[1])
    } else if (quoted && tree == "apps") {
      here = FILENAME
      sub(/[^\/]*$/, "", here)
      shared = target ~ /^benchmarks\// && exists(target)
      if (target ~ /\.\./ || !(shared || exists(here target) || exists("apps/" part[2] "/" target)))
        complain("programs include <cairn/…>, \"benchmarks/…\" and their own files, not \"" target "\"")
    }
  }
  END { exit bad }
' $(ours '*.h' '*.cpp' '*.inl' | grep -E '^(src|include|apps)/') || status=1
exit $status
