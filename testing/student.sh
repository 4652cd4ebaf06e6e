#!/usr/bin/env bash
# Goes the way of a student through ./lab check, in a copy of the tree: untouched, a step solved, a crash, a hang, a
# compile error, all solved. Each answer must say the right thing, and come soon.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
# shellcheck source=testing/student/expect.sh
. testing/student/expect.sh
trap 'rm -f "$times_of_calls"' EXIT

copy=$PWD/build/student
mkdir -p "$copy"
git ls-files -z | grep -zv '^build/' | xargs -0 cp -p --parents -t "$copy" # keeps what was built there before
(cd "$copy" && find . -path ./build -prune -o -type f -printf '%P\n') | sort | comm -23 - <(git ls-files | sort) |
  (cd "$copy" && xargs -r -d '\n' rm --) # what the tree no longer has
cd "$copy" || exit

lab=labs/01_switch_asm
touch "$lab"/exercise/* # newer than what was built of the last run's

# Two files are compiled; each of three tests that hang is stopped twice, after 2 s of the processor.
soon() { costs_at_most 20000; }
solve() { for file in "$@"; do cp "$lab/solution/$file" "$lab/exercise/$file"; done; }

# With the same flags as the other parts, so that ccache knows most files.
for preset in exercise default debug; do cmake --preset $preset -DFIBERSCOPE_WERROR=ON >/dev/null; done
ask check 01
expect "an untouched lab is not solved" ends_with 1
expect "an untouched step is not implemented yet" says "· 1.1 .*not implemented yet"
expect "nothing is called a failure" says_not "✗"
expect "the file to edit is named" says "edit +$lab/exercise/context.cpp"

solve context.cpp
ask check 01 # builds
if [ "$status" = 2 ]; then
  echo "$answer"
  exit 1
fi
touch "$lab/exercise/context.cpp"
ask check 01
expect "a later step needs an earlier one" says "· 1.4 .*needs step 1.3 first"
expect "the first step is solved" says "✓ 1.1"
expect "the next step is 1.2" says "Next: step 1.2"
expect "an answer comes soon after an edit" soon

sed -i "0,/^[A-Za-z].*make_context.*{\$/s//&\n for (volatile int hang = 1; hang != 0;) {\n    }/" \
  "$lab/exercise/context.cpp"
ask check 01
expect "a hang is reported" says "did not end within 2 s"
expect "after three that hang no test is begun" says "not tried"
expect "an answer comes soon even when tests hang" soon

sed -i "s/for (volatile int hang = 1; hang != 0;) {/for (volatile int* nowhere = nullptr; *nowhere != 0;) {/" \
  "$lab/exercise/context.cpp"
ask check 01
expect "a crash is explained" says "crashed: SIGSEGV .*null pointer"

# In gdb: the core dump that the crash leaves, and the test itself, of a lab that is not finished.
cat >build/ask.gdb <<'END'
info coroutines
bt
coroutine all bt
info sets
END
{ echo run && cat build/ask.gdb; } >build/ask_live.gdb
test_name=$(build/exercise/bin/lab01_tests --names | grep '^1.1 ' | head -n 1)
if command -v gdb >/dev/null; then
  ask check 01 "$test_name" --core
  core=$(sed -n 's/^ *The core: *\.\/lab debug 01 --core //p' <<<"$answer")
  if [[ $(</proc/sys/kernel/core_pattern) == core* ]]; then
    expect "the story names the command that opens the core dump" [ -s "${core:-/nothing}" ]
    FIBERSCOPE_GDB="-batch -x build/ask.gdb" ask debug 01 --core "$core"
    expect "gdb shows where it crashed" says "^#[0-9]+ .*make_context.*context.cpp"
    expect "gdb lists the coroutines of the core dump" says "\* +0 +.*running"
  else
    expect "the story says why there is no core dump" says "It left no core dump: the kernel's setting is"
  fi
  FIBERSCOPE_GDB="-batch -x build/ask_live.gdb" ask debug 01 "$test_name"
  expect "gdb stops where the test crashes" says "received signal SIGSEGV"
  expect "gdb lists the coroutines of code that is not finished" says "\* +0 +.*running"
  expect "gdb goes to the student's file" says "^#[0-9]+ .*make_context.*exercise/context.cpp"
  expect "the commands of the kit do not fail" says_not "Traceback|Python Exception|internal-error"
fi
ask debug 01 --core nowhere
expect "a core dump that is not there" says "^lab: --core: there is no file .*nowhere"

echo "not C++" >>"$lab/exercise/context.cpp"
ask check 01
expect "a compile error names the file" says "$lab/exercise/context.cpp does not compile"
expect "a compile error is short" [ "$(wc -l <<<"$answer")" -lt 40 ]
expect "the build tool is not quoted" says_not "FAILED|ninja"

for file in "$lab"/solution/*.cpp "$lab"/solution/*.S; do solve "$(basename "$file")"; done
ask check 01
expect "the solved lab is solved" says "The lab is solved"
expect "the solved lab ends with 0" ends_with 0
expect "its recordings are the reference's" says "the same as the reference's: .*ping_pong"
expect "no recording differs" says_not "differs"

ask run 01 --mine
expect "the demos are listed" says "ping_pong"
ask run 01 ping_pong --mine --out build/mine.json
expect "the last line of a run is the recording" [ "$(tail -n 1 <<<"$answer")" = build/mine.json ]
expect "the recording is there" [ -s build/mine.json ]

echo "a student's way: $passed passed, $failed failed"
[ "$failed" = 0 ]
