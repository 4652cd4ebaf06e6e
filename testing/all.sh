#!/usr/bin/env bash
# Everything that the project promises, part by part; called by `./lab test`. Each part writes build/logs/test-<part>.log.
#   --long         more of it: longer fuzzing, every lab's tests again and again, all of aarch64, the benchmarks in full
#   --only PART    only this part (may be repeated); --list names them
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
# shellcheck source=testing/parts.sh
. testing/parts.sh

all_parts="format build ctest labs starters mutants samples echo debug asan tsan aarch64 fuzz model bench student docs"
long="" only=""
while [ $# -gt 0 ]; do
  case $1 in
    --long) long=yes ;;
    --only) only="$only ${2:?--only needs a part}"; shift ;;
    --list) echo "$all_parts"; exit 0 ;;
    *) echo "lab test: there is no option $1" >&2; exit 2 ;;
  esac
  shift
done
export long

# The same files are compiled alike for the reference, the exercise and the student's copy of the tree: once is enough.
if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  export CCACHE_DIR=$PWD/build/ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
  export CCACHE_SLOPPINESS=pch_defines,time_macros # what it needs to know of headers that are read once
fi

logs=build/logs
mkdir -p $logs
passed=0 failed=0 failures="" began=$SECONDS

# counts LOG WORD: the sum over the lines that end in "N passed, N failed"; those of the broken lab are quotations.
counts() { sed -nE "/09_broken/d; s/^.*[^0-9]([0-9]+) passed, ([0-9]+) failed$/$2/p" "$1" | awk '{ n += $1 } END { print n + 0 }'; }

run_part() {
  local part=$1 log=$logs/test-$1.log from=$SECONDS status good bad
  printf '%-9s ' "$part"
  (set -e; "part_$part") >"$log" 2>&1 </dev/null
  status=$?
  if [ $status = 77 ]; then
    echo "left out: $(tail -n 1 "$log")"
    [ "${CI:-}" = true ] || return
  fi
  good=$(counts "$log" '\1') bad=$(counts "$log" '\2')
  [ "$good$bad" = 00 ] && [ $status = 0 ] && good=1
  [ $status != 0 ] && [ "$bad" = 0 ] && bad=1
  passed=$((passed + good)) failed=$((failed + bad))
  if [ $status = 0 ] && [ "$bad" = 0 ]; then
    echo "ok      $((SECONDS - from)) s, $good passed"
  else
    echo "FAILED  $((SECONDS - from)) s, $bad failed; the end of $log:"
    tail -n 60 "$log" | sed 's/^/    | /'
    failures="$failures $part"
  fi
}

for part in ${only:-$all_parts}; do
  declare -F "part_$part" >/dev/null || { echo "lab test: there is no part $part" >&2; exit 2; }
  run_part "$part"
done
echo
echo "$((SECONDS - began)) s in all.${failures:+ Failed:$failures; the logs are in $logs.}"
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
