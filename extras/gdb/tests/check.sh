#!/usr/bin/env bash
# Asks gdb about target.cpp, live and as a core dump: info coroutines, coroutine N, info sets, printers.
# Ends with 77 where there is no gdb.
#   check.sh PROGRAM
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.." || exit
command -v gdb >/dev/null || { echo "there is no gdb here (Debian's package gdb)" >&2; exit 77; }
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A person's own settings change nothing here.
export LC_ALL=C.UTF-8
ask() { answer=$(gdb -nx -batch -iex "set auto-load no" -ex "source extras/gdb/fiberscope.py" "$@" </dev/null 2>&1); }

# shellcheck source=extras/gdb/tests/expect.sh
. extras/gdb/tests/expect.sh
expect_not() {
  if grep -qE -- "$2" <<<"$answer"; then failed=$((failed + 1)) && echo "✗ $1: $2"; else passed=$((passed + 1)); fi
}

# What a live process and a core dump have in common.
states() {
  expect "the thread waits for the one that it resumed ($1)" 'main +normal +resumed the last'
  expect "one that yielded, by _switch ($1)" \
    'by asm +suspended +yielded to its resumer +.*yield_from_a_function.*target.cpp:'
  expect "one that yielded, by ucontext ($1)" 'by ucontext +suspended +.*yield_by_ucontext.*target.cpp:'
  expect "one that was not started ($1)" 'not started +new +has not started'
  expect "one that has ended ($1)" 'ended +dead +has ended'
  expect "one on a shared stack ($1)" 'on the stack +suspended +.*yield_on_shared_stack.*target.cpp:'
  expect "a sleeper ($1)" 'sleeper +sleeping +sleeps until .* s .*sleep_in_a_function.*target.cpp:'
  expect "one that waits ($1)" 'parked +waiting +waits for a full basket'
  expect "one that is ready ($1)" 'ready one +ready +can run'
  expect "the one that runs ($1)" '\* .*the last.* +running +on thread 1'
  expect_not "no control character reaches the terminal ($1)" $'\x1b'
}

at_stop=(-ex "break stop_here" -ex run)
ask "${at_stop[@]}" -ex "info coroutines" --args "$program"
states live
expect "an image is put in place for a moment" 'in an image +suspended +.*yield_on_shared_stack.*target.cpp:'

ask "${at_stop[@]}" -ex "coroutine by asm" -ex "up 2" -ex "info locals" -ex "bt 6" -ex "coroutine off" -ex "bt 1" \
  -ex "coroutine sleeper bt" -ex "coroutine in an image" -ex "coroutine in an image bt" -ex "coroutine nobody" \
  --args "$program"
expect "the frames of one that is not running" 'is shown from frame 1 on'
expect "the frames are the coroutine's" '#[0-9]+ .*yield_from_a_function \(argument=40\)'
expect "its own frames again" '^#0 +.*stop_here'
expect "a backtrace of one" 'sleep_in_a_function at .*target.cpp:'
expect "an image cannot be shown for long" 'lie in its image \([0-9]+ bytes\)'
expect "but once" 'yield_on_shared_stack.* at .*target.cpp:'
expect "one that is not there" 'there is no coroutine nobody'

ask "${at_stop[@]}" -ex "coroutine by asm" -ex "frame function yield_from_a_function" -ex "info locals" -ex continue \
  --args "$program"
expect "locals of a coroutine that is not running" 'local_of_function = 41'
expect "the program goes on unharmed" 'exited normally'

ask "${at_stop[@]}" -ex "info sets" -ex "up" -ex "print sleeper" -ex "print *early.task_" --args "$program"
expect "the ready queue" 'ready: 1'
expect "the sleep tree" '● .*early|○ .*early'
expect "with deadlines" 'sleeper, until .* s'

# Where the reader reads Chinese the commands speak it, and their columns stand below one another.
LC_ALL=zh_CN.UTF-8 ask "${at_stop[@]}" -ex "help coroutine" -ex "info coroutines" -ex "coroutine" -ex "info sets" \
  -ex "coroutine by asm" -ex "coroutine off" -ex "coroutine sleeper bt" -ex "coroutine in an image" \
  -ex "coroutine nobody" -ex "up" -ex "print *early.task_" --args "$program"
expect "help, in Chinese" '^coroutine N：显示它的栈帧'
expect "the columns, in Chinese" '编号 +名字 +状态 +原因 +位置'
expect "a sleeper, in Chinese" 'sleeper +睡眠 +睡到 .* s .*sleep_in_a_function.*，在 .*target.cpp:'
expect "one that waits, in Chinese" 'parked +等待 +在等 a full basket'
expect "what one can type, in Chinese" '^  info sets +每个调度器的就绪队列'
expect "the sets, in Chinese" '^  就绪：1'
expect "frames are shown, in Chinese" '^\[从 1 号帧起显示 by asm'
expect "a backtrace, in Chinese" '^协程 [0-9]+ sleeper：睡眠，睡到 '
expect "an image, in Chinese" '的栈帧在它的镜像里'
expect "one that is not there, in Chinese" '没有协程 nobody'
expect "a task in words, in Chinese" '任务：协程 [0-9]+ early，睡眠'
expect_not "each text stands in both languages" 'KeyError|Traceback'

for kind in wheel heap; do
  ask "${at_stop[@]}" -ex "info sets" -ex "continue" --args "$program" $kind
  expect "the sleepers in a $kind" "sleeping \\(a $kind, .*: 2"
  expect "one of them, with its deadline ($kind)" '^    [0-9]+ sleeper, until 1000(\.[0-9]+)? s'
  expect "the other one ($kind)" '^    [0-9]+ early, until 500(\.[0-9]+)? s'
  expect "what is ready beside them ($kind)" 'ready: 1'
  expect "the program goes on unharmed ($kind)" 'exited normally'
done

# In the middle of a switch: the step is noted, and the registers are not saved yet.
ask -ex "break _switch" -ex run -ex "info coroutines" -ex "coroutine main bt" -ex "coroutine main" -ex "bt 3" \
  --args "$program"
expect "the one that a switch is about to leave" 'main +normal +still runs on thread 1: a switch is about to leave it'
expect "its frames are those of the thread" 'it runs: see `thread 1`'
expect "it is shown as the thread is" '^#0 +.*_switch'
expect_not "nothing is damaged there" 'they are damaged|Python|Traceback'

# Half-finished code: sets that lead in circles, saved registers and names that are anything.
ask "${at_stop[@]}" -ex "source extras/gdb/tests/damage.py" -ex continue --args "$program"
expect "nothing that is damaged harms the commands" '^damaged, asked [0-9]{3} times, wrong 0 times'
expect "the program goes on unharmed, once all is put back" 'exited normally'

# The starters, whose functions are still to be written: wherever they stop, gdb answers.
for starter in "${program%/*}"/lab0?_starter; do
  [ -x "$starter" ] || continue
  test=$("$starter" --names | tail -n 1)
  ask -ex "break fiberscope::kit::not_implemented" -ex run -ex "info coroutines" -ex "info sets" \
    -ex "coroutine all bt" -ex "print 6 * 7" --args "$starter" --one "$test"
  expect "gdb stops where ${starter##*/} is not written yet" '^Breakpoint 1, .*not_implemented'
  expect_not "no command fails in Python (${starter##*/})" 'Python|Traceback'
  expect "gdb lives on (${starter##*/})" '= 42'
done

# The kernel's core dump, not gdb's: gdb's leaves out a whole stack because it cannot read the guard below it.
program=$(realpath "$program")
(cd "$work" && ulimit -c unlimited && FIBERSCOPE_LIST_COROUTINES=1 "$program" abort 2>/dev/null) 2>/dev/null || true
core=$(find "$work" -name 'core*' | head -n 1)
if [ -n "$core" ]; then
  ask -ex "info coroutines" -ex "coroutine by asm" -ex "frame function yield_from_a_function" -ex "info locals" \
    -ex "coroutine all bt" -ex "info sets" "$program" "$core"
  states "core dump"
  expect "locals in a core dump" 'local_of_function = 41'
  expect "what an image holds stays there" 'a core dump cannot show them'
  expect "the sets in a core dump" 'ready: 1'
else
  echo "no core dump was written here (kernel.core_pattern): that part is left out"
fi

ask -ex "info coroutines" -ex "coroutine 1" -ex "info sets" "$program"
expect "without a process" 'no program runs here'

answer=$(./lab debug 01 2>&1)
expect "the command without a test" '^lab: which test'

echo "coroutines in gdb: $passed passed, $failed failed"
[ $failed = 0 ]
