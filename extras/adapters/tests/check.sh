#!/usr/bin/env bash
# Installs the recorder's library as a user would, and records by it: the example of docs/record-your-own.md, C++20
# coroutines, State Threads, Boost.Fiber, greenlet, gevent and Go. Every recording must be sound, and what has its own
# clock must repeat to the byte.
#   check.sh BUILD-DIR
set -uo pipefail
build=$(realpath "$1")
adapters=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
expect() {
  local what=$1
  shift
  if "$@" >"$work/said" 2>&1; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "✗ $what"
    sed 's/^/    | /' "$work/said" | head -n 20
  fi
}
is_sound() { "$build/bin/fiberscope-trace" check "$1"; }
records_the_same() {
  local first=$1 second=$1.again
  shift
  "$@" "$first" && "$@" "$second" && cmp "$first" "$second" && is_sound "$first"
}

expect "it installs" cmake --install "$build" --prefix "$work/usr" --component record
library=$(find "$work/usr" -name libfiberscope_record.so)
export LD_LIBRARY_PATH=${library%/*} PKG_CONFIG_PATH=${library%/*}/pkgconfig FIBERSCOPE_RECORD=$library
needs_libc_only() { ! readelf -d "$library" | grep NEEDED | grep -vE 'libc\.so|ld-linux|libm\.so'; }
expect "it needs the C library only" needs_libc_only
shows_its_functions_only() { ! nm -D --defined-only "$library" | grep -vE ' fiberscope_'; }
expect "it shows its own functions only" shows_its_functions_only

read -ra flags <<<"$(pkg-config --define-variable=prefix="$work/usr" --cflags --libs fiberscope)"
# The first block of C in the page, as it stands there.
sed -n '/^```c$/,/^```$/p' "$adapters/../../docs/record-your-own.md" | sed '/^```/d' >"$work/example.c"
expect "the example has 40 lines" [ "$(wc -l <"$work/example.c")" -le 40 ]
expect "the example is C99" cc -std=gnu99 -Wall -Wextra -Werror -o "$work/example" "$work/example.c" "${flags[@]}"
runs_example() { (cd "$work" && ./example); }
expect "the example runs" runs_example
expect "its recording is sound" is_sound "$work/mine.json"
expect "both have worked three times" [ "$(grep -c '"text":"working"' "$work/mine.json")" = 6 ]

cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(user C CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(fiberscope REQUIRED)
add_executable(cxx20_demo cxx20_demo.cpp)
target_link_libraries(cxx20_demo fiberscope::fiberscope_record)
END
cp "$adapters/tests/cxx20_demo.cpp" "$work"
expect "CMake finds it" cmake -S "$work" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/usr"
expect "C++20 coroutines compile with it" cmake --build "$work/build"
expect "C++20 coroutines are recorded" records_the_same "$work/cxx20.json" "$work/build/cxx20_demo"
expect "the sample is that recording" cmp "$adapters/samples/cxx20_generator.json" "$work/cxx20.json"

if [ -f /usr/include/st.h ]; then
  expect "State Threads compile with it" cc -Wall -Wextra -Werror -o "$work/st_demo" "$adapters/tests/st_demo.c" \
    "${flags[@]}" -lst
  expect "State Threads are recorded" records_the_same "$work/st.json" "$work/st_demo"
  expect "the sample is that recording" cmp "$adapters/samples/st_producer_consumer.json" "$work/st.json"
else
  echo "there is no State Threads here (Debian's package libst-dev): not tested"
fi

if [ -f /usr/include/boost/fiber/all.hpp ]; then
  expect "Boost.Fiber compiles with it" c++ -std=c++17 -O1 -o "$work/boost_demo" "$adapters/tests/boost_demo.cpp" \
    "${flags[@]}" -lboost_fiber -lboost_context -pthread
  expect "Boost.Fiber is recorded" records_the_same "$work/boost.json" "$work/boost_demo"
  expect "the sample is that recording" cmp "$adapters/samples/boost_producer_consumer.json" "$work/boost.json"
else
  echo "there is no Boost.Fiber here (Debian's package libboost-fiber-dev): not tested"
fi

python=/usr/bin/python3
export PYTHONPATH=$work/usr/share/fiberscope PYTHONDONTWRITEBYTECODE=1
if $python -c "import greenlet" 2>/dev/null; then
  expect "greenlets are recorded" records_the_same "$work/greenlet.json" $python "$adapters/tests/greenlet_demo.py"
  expect "the sample is that recording" cmp "$adapters/samples/greenlet_ping_pong.json" "$work/greenlet.json"
else
  echo "there is no greenlet for $python here (Debian's package python3-greenlet): not tested"
fi
if $python -c "import gevent" 2>/dev/null; then
  expect "gevent's tasks are recorded" $python "$adapters/tests/gevent_demo.py" "$work/gevent.json"
  expect "gevent's recording is sound" is_sound "$work/gevent.json"
  expect "the hub is the scheduler" grep -q '"kind":"scheduler","name":"Hub"' "$work/gevent.json"
else
  echo "there is no gevent for $python here (Debian's package python3-gevent): not tested"
fi

if command -v go >/dev/null; then
  # importer COMMAND…: Go's trace into ours, by the installed file.
  importer() { $python "$work/usr/share/fiberscope/fiberscope_go.py" "$@"; }
  is_refused() { ! importer "$1" "$work/refused.json" 2>"$work/refusal" && grep -q "^error: .*$2" "$work/refusal" &&
    [ "$(wc -l <"$work/refusal")" = 1 ] && [ ! -e "$work/refused.json" ]; }
  sample=$adapters/samples/go_producer_consumer
  expect "a program of Go compiles" env GOCACHE="$work/go" go build -o "$work/go_demo" "$adapters/tests/go_demo.go"
  expect "Go traces it" "$work/go_demo" "$work/go.trace"
  expect "Go's trace is read into ours" importer "$work/go.trace" "$work/go.json"
  expect "its recording is sound" is_sound "$work/go.json"
  expect "goroutines have the names of their functions" grep -q '"kind":"task","name":"main.producer"' "$work/go.json"
  mkfifo "$work/pipe"
  is_kept() { ! importer "$work/go.trace" "$1" 2>"$work/refusal" && grep -q "^error: .*$1 is no file" "$work/refusal" &&
    [ ! -f "$1" ]; }
  expect "a pipe is not replaced" is_kept "$work/pipe"
  expect "a device is not replaced" is_kept /dev/null
  expect "one waits for the channel" grep -q '"left":"waiting","reason":"\(sends\|receives\)' "$work/go.json"
  expect "the words that it logged are notes" [ "$(grep -c '"text":"took one"' "$work/go.json")" = 4 ]
  expect "the sample is read" importer "$sample.trace" "$work/go_sample.json" --program producer_consumer
  expect "the sample is read the same each time" cmp "$sample.json" "$work/go_sample.json"
  expect "the sample is sound" is_sound "$sample.json"
  # As events, "bc" would be one with two arguments, of which the second is the beginning of the name.
  names_follow_a_message() { $python - <<'END'
import fiberscope_go

log = b"\xf0\x04" + bytes([0, 0, 5, 0]) + bytes([3]) + b"abc"
name = b"\x25\x07" + bytes([4]) + b"main"
assert fiberscope_go.Names(b"go 1.19 trace\0\0\0" + log + name, "made").strings == {7: "main"}
END
  }
  expect "names that follow a message are read" names_follow_a_message
  { head -c 300 "$sample.trace" && printf '\377%.0s' {1..40}; } >"$work/damaged.trace"
  expect "a trace that is damaged is refused" is_refused "$work/damaged.trace" "damaged.trace"
  head -c 300 "$sample.trace" >"$work/cut.trace"
  printf 'go 1.22 trace\0\0\0' >"$work/later.trace"
  expect "a trace that was cut is refused" is_refused "$work/cut.trace" "cut.trace"
  expect "a format of later is refused" is_refused "$work/later.trace" "Go 1.22"
  expect "what is no trace is refused" is_refused "$work/example.c" "no execution trace of Go"
else
  echo "there is no Go here (Debian's package golang-go): not tested"
fi

[ -z "${KEEP:-}" ] || cp "$work"/*.json "$KEEP"
echo "adapters: $passed passed, $failed failed"
[ $failed = 0 ]
