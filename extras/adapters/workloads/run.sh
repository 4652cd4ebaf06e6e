#!/usr/bin/env bash
# Runs the workloads mixed, fanout and pipeline by our strategies and by other people's libraries, on one machine under
# the real clock. Their results must be the same. Leaves the recordings in DIR, and prints one table of figures for each
# workload. What is not installed here is left out with a word.
#   run.sh BUILD-DIR [DIR]
set -uo pipefail
build=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=${2:-$work/recordings}
mkdir -p "$out"
failed=0 passed=0 runs=()
fail() { failed=$((failed + 1)); echo "✗ $*"; }

cmake --install "$build" --prefix "$work/usr" --component record >/dev/null || exit
library=$(find "$work/usr" -name libfiberscope_record.so)
export LD_LIBRARY_PATH=${library%/*} FIBERSCOPE_RECORD=$library PYTHONPATH=$work/usr/share/fiberscope
export PYTHONDONTWRITEBYTECODE=1

# cxx NAME STANDARD LIBRARY…: compiles a program as a user would.
cxx() {
  local name=$1 standard=$2
  shift 2
  c++ -std="$standard" -O2 -Wno-unused-function -I"$work/usr/include" -o "$work/$name" "$here/$name.cpp" \
    -L"${library%/*}" -lfiberscope_record "$@" >"$work/said" 2>&1 && runs+=("$name") && return
  fail "$name does not compile"
  cat "$work/said"
}
missing() { echo "not here, so left out: $1 (Debian's package $2)"; }
by_python() { timeout 60 /usr/bin/python3 "$here/workloads.py" "$@"; }
by_greenlet() { by_python greenlet "$@"; }
by_gevent() { by_python gevent "$@"; }
# by_…  WORKLOAD SEED [FILE]
by_go() {
  [ $# = 2 ] && { timeout 60 "$work/go" "$@"; return; }
  timeout 60 "$work/go" "$1" "$2" "$work/go.trace" &&
    /usr/bin/python3 "$work/usr/share/fiberscope/fiberscope_go.py" "$work/go.trace" "$3" --program "$1"
}
by_cxx20() { timeout 60 "$work/cxx20" "$@"; }
by_boost_fiber() { timeout 60 "$work/boost_fiber" "$@"; }
by_state_threads() { timeout 60 "$work/state_threads" "$@"; }

cxx cxx20 c++20
if [ -f /usr/include/boost/fiber/all.hpp ]; then
  cxx boost_fiber c++17 -lboost_fiber -lboost_context -pthread
else missing Boost.Fiber libboost-fiber-dev; fi
if [ -f /usr/include/st.h ]; then cxx state_threads c++17 -lst
else missing "State Threads" libst-dev; fi
for one in greenlet gevent; do
  if /usr/bin/python3 -c "import $one" 2>/dev/null; then runs+=("$one"); else missing $one "python3-$one"; fi
done
if command -v go >/dev/null; then
  if env GOCACHE="$work/cache" go build -o "$work/go" "$here/workloads.go"; then runs+=(go)
  else fail "the program of Go does not compile"; fi
else missing Go golang-go; fi

# The seeds that lab 04's proof gives the workloads when it is asked with 1, and what they give then.
read -ra seeds < <(/usr/bin/python3 - <<'END'
mask, state, numbers = 2**64 - 1, 1, []
for _ in range(6):
    state = state + 0x9E3779B97F4A7C15 & mask
    z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & mask
    z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
    numbers.append(z ^ z >> 31)
print(*numbers[1::2])
END
)
"$build/bin/lab04_proof_reference" producer_consumer 1 >"$work/expected" || fail "lab 04's proof"

# one WORKLOAD SEED LIBRARY: run twice, with and without recording.
one() {
  local file=$out/$1_$3.json
  for recorded in "" "$file"; do
    # shellcheck disable=SC2086  # no argument, where it is not recorded
    if ! "by_$3" "$1" "$2" $recorded >"$work/results" 2>"$work/said"; then
      fail "$1 by $3${recorded:+, recorded}"
      cat "$work/said"
    elif ! diff <(grep "^$1 " "$work/expected") "$work/results"; then
      fail "$1 by $3${recorded:+, recorded} gives other results than lab 04"
    else passed=$((passed + 1)); fi
  done
  if "$build/bin/fiberscope-trace" check "$file" >"$work/said" 2>&1; then passed=$((passed + 1))
  else fail "$1 by $3: its recording is not sound"; cat "$work/said"; fi
}

for workload in mixed fanout pipeline; do
  seed=${seeds[0]}
  seeds=("${seeds[@]:1}")
  files=()
  for strategy in producer_consumer multi_state libco sylar netco go; do
    file=$out/${workload}_lab04_$strategy.json
    "$build/bin/lab04_demo" "$workload" --strategy "$strategy" --machines 1 --clock monotonic --seed "$seed" \
      --out "$file" >/dev/null || fail "$workload by lab 04's $strategy"
    files+=("$file")
  done
  for library in "${runs[@]}"; do
    one "$workload" "$seed" "$library"
    files+=("$out/${workload}_$library.json")
  done
  "$build/bin/fiberscope-trace" figures "${files[@]}" || fail "the table of $workload"
  echo
done
echo "workloads: $passed passed, $failed failed"
[ $failed = 0 ]
