#!/usr/bin/env bash
# Installs the build into an empty folder, then compiles and runs examples/library against what was installed.
set -euo pipefail
build=$1 source=$2 cxx=$3 cc=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder/prefix" >/dev/null
cmake -S "$source/examples/library" -B "$folder/build" -G Ninja -DCMAKE_PREFIX_PATH="$folder/prefix" \
  -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_C_COMPILER="$cc" >/dev/null
cmake --build "$folder/build" >"$folder/build.log" || { cat "$folder/build.log"; exit 1; }
cp -r "$source/examples/workspace" "$folder/workspace"
rm -rf "$folder/workspace/.knapsack"
"$folder/build/notes_packet" "$folder/workspace" 700 | grep -q "Never lose a manifest"
"$folder/prefix/bin/knapsack" explain latest --workspace "$folder/workspace" | grep -q "budget of 700"
# The model lies where the installed program looks for it.
"$folder/prefix/bin/knapsack" status --workspace "$folder/workspace" | grep -q "^meaning    e5-small-v2"
for page in knapsack knapsack-pack knapsack-graph-put knapsack-hook-claude-code; do
  grep -q '^.SH NAME' "$folder/prefix/share/man/man1/$page.1"
done
grep -q 'complete .* knapsack' "$folder/prefix/share/bash-completion/completions/knapsack"
grep -q 'complete -c knapsack' "$folder/prefix/share/fish/vendor_completions.d/knapsack.fish"
echo "the installed library and program work"
