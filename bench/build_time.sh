#!/usr/bin/env bash
# How long it takes from a clone to a running program, and from a change to its tests, with nothing cached: a fresh clone
# of HEAD in an empty folder, an empty compiler cache, an empty npm cache. Debian packages that are missing are installed,
# and count. A busy machine makes the seconds on the wall longer; those of the processor stay nearly the same.
#   bench/build_time.sh [demo] [test] [change]      all three when none is named; change needs test
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git clone -q "$source" "$folder/clone"
cd "$folder/clone"
export CCACHE_DIR=$folder/ccache npm_config_cache=$folder/npm
TIMEFORMAT='%R %U %S'

# measure NAME LIMIT_SECONDS COMMAND…: one line a measurement; a command that fails ends everything.
measure() {
  local name=$1 limit=$2 took
  shift 2
  if ! { time "$@" >"$folder/log" 2>&1; } 2>"$folder/times"; then
    tail -n 60 "$folder/log" >&2
    echo "build_time: failed: $*" >&2
    exit 1
  fi
  took=$(tail -n 1 "$folder/times")
  awk -v name="$name" -v limit="$limit" '{
    printf "%-34s %7.1f s on the wall (bar %d s), %7.1f s of processor\n", name, $1, limit, $2 + $3 }' <<<"$took"
}

fetched_megabytes() { du -sb "$folder/npm/_cacache/content-v2" | awk '{ printf "%.1f", $1 / 1e6 }'; }

# What is compiled while packages are fetched must not be compiled again afterwards (scripts/build_ahead). Ninja writes
# down each time that it makes a file.
none_twice() {
  local twice
  twice=$(awk -F'\t' '$4 ~ /\.(o|gch)$/ && seen[$4]++ { count++ } END { print count + 0 }' "build/$1/.ninja_log")
  echo "compiled twice: $twice of $(grep -c '\.o\s' "build/$1/.ninja_log") files (bar 0)"
  [ "$twice" = 0 ] || { echo "build_time: something was compiled twice" >&2; exit 1; }
}

# Something that the compiler cannot have seen, in a file that others include nothing of.
change_one_file() {
  echo 'static_assert(sizeof(int) >= 2);' >>src/packet/packer.cc
  cmake --build --preset dev --target packet_test && build/dev/tests/packet_test
}

for what in "${@:-demo test change}"; do
  for part in $what; do
    case "$part" in
      demo)
        measure "make demo" 300 make demo
        echo "fetched from npm for the program: $(fetched_megabytes) MB (bar 150 MB)"
        none_twice release
        ;;
      test)
        measure "make test" 720 make test
        none_twice dev
        if [ -d build/release ]; then  # what the tests needed must not change how the program is compiled
          make build >/dev/null
          none_twice release
        fi
        ;;
      change) measure "one changed .cc to its tests" 20 change_one_file ;;
      *) echo "build_time: unknown '$part': demo, test or change" >&2; exit 2 ;;
    esac
  done
done
