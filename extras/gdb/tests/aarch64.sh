#!/usr/bin/env bash
# Asks gdb about coroutines of aarch64: a test of lab 01 under qemu, through qemu's own stub. Ends with 77 where there
# is no gdb-multiarch or no qemu.
#   aarch64.sh LAB01_TESTS
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.." || exit
# shellcheck source=extras/gdb/tests/expect.sh
. extras/gdb/tests/expect.sh
for tool in gdb-multiarch qemu-aarch64; do
  command -v $tool >/dev/null || { echo "there is no $tool here (Debian's gdb-multiarch, qemu-user)" >&2; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"; [ -z "${emulator:-}" ] || kill "$emulator" 2>/dev/null' EXIT
FIBERSCOPE_LIST_COROUTINES=1 qemu-aarch64 -L /usr/aarch64-linux-gnu -g "$work/stub" "$1" \
  --one "1.3 A resumes B resumes C, and each yields to the one that resumed it" >"$work/said" 2>&1 &
emulator=$!
for _ in {1..100}; do [ -S "$work/stub" ] && break; sleep 0.1; done
cat >"$work/ask" <<END
set sysroot /usr/aarch64-linux-gnu
target remote $work/stub
break fiberscope::lab01::yield()
continue
continue
continue
info coroutines
coroutine B
frame function yield_for_ever
up
coroutine off
coroutine all bt
kill
END
answer=$(timeout 120 gdb-multiarch -nx -batch -iex "set auto-load no" -ex "source extras/gdb/fiberscope.py" \
  -x "$work/ask" "$1" </dev/null 2>&1)
expect "the one that waits for the one that it resumed" 'main +normal +resumed A and waits for it'
expect "one that yielded" 'B +suspended +yielded to its resumer +yield_for_ever at .*behaviour.h:'
expect "the one that runs" '\* +[0-9]+ +A +running'
expect "the frames of one that is not running" '#[0-9]+ .*yield_for_ever'
expect "its caller" '#[0-9]+ .*operator\(\)'
expect "all of them" '^coroutine [0-9]+ C: suspended'
expect "down to their first function" 'context_start at .*start_aarch64.S'
echo "coroutines of aarch64 in gdb: $passed passed, $failed failed"
[ $failed = 0 ]
