#!/usr/bin/env bash
# Goes the first way of a student, in a tree of ./lab start: what is told before anything is built, how to begin with a
# later lab, what asks for help and gets nothing installed, and what the first verdict costs the processors.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
# shellcheck source=testing/student/expect.sh
. testing/student/expect.sh
unset LC_ALL LC_MESSAGES LANG
export CCACHE_DISABLE=1

whole=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work" "$times_of_calls"' EXIT
nothing_is_built() { [ ! -e build/default ] && [ ! -e build/exercise ] && [ ! -e build/release ]; }

# A system on which nothing is installed: apt-get writes down that it was called, and can do nothing.
mkdir "$work/bare"
printf '#!/bin/sh\necho "apt-get $*" | tee -a "%s/installed"\nexit 1\n' "$work" >"$work/bare/apt-get"
printf '#!/bin/sh\nexit 1\n' >"$work/bare/dpkg-query"
printf '#!/bin/sh\nexec "$@"\n' >"$work/bare/sudo"
chmod +x "$work"/bare/*
nothing_is_installed() { [ ! -s "$work/installed" ]; }

# What asks for help gets an answer: of every verb, in this language.
ask_for_help() {
  local verb arguments
  while read -r verb arguments; do
    : >"$work/installed"
    # shellcheck disable=SC2086  # a list of arguments
    PATH=$work/bare:$PATH ask $verb $arguments
    expect "$1: ./lab $verb $arguments installs nothing" nothing_is_installed
    expect "$1: ./lab $verb $arguments answers" [ -n "$answer" ]
    [ "${arguments##* }" = --list ] || expect "$1: ./lab $verb $arguments is no error" ends_with 0
  done <<'END_OF_CALLS'
test --help
test --list
test -h
start --help
start ../nowhere --help
handout --help
grade --help
grade 01 --help
check --help
check 01 --list
progress --help
watch --help
hint --help
reset --help
demo --help
demo --list
run --help
run 01 --list
run 01 nested --help
tool --help
tool 05 echo_load --help
view --help
trace --help
trace check --help
debug --help
explore --help
explore 04 mixed_go --help
bench --help
bench 01 --help
END_OF_CALLS
}

git -C "$whole" rev-parse -q --verify HEAD >/dev/null || { echo "this tree has no history: left out"; exit 77; }
git clone -q "$whole" "$work/whole" || exit
cd "$work/whole" || exit
ask_for_help "the whole tree"
expect "help builds nothing in the whole tree" nothing_is_built

ask start "$work/tree"
cd "$work/tree" || exit
ask_for_help "a student's tree"
expect "help builds nothing in a student's tree" nothing_is_built
printf '#!/bin/sh\necho "cmake $*"\nexit 1\n' >"$work/bare/cmake"
chmod +x "$work/bare/cmake"
PATH=$work/bare:$PATH ask view traces/samples/01_nested.json
expect "an installation says first what it is for, and what it installs" \
  grep -qE "^lab: installing, to build and to watch: .*g\+\+" <(head -n 1 <<<"$answer")
expect "and then it installs" [ -s "$work/installed" ]
rm -rf build "$work/bare/cmake"

# What is not written, and what a lab stands on, is told before anything is built.
ask check
expect "an untouched lab is not solved" ends_with 1
expect "an untouched step is not written" says "· 1\.1 .*not implemented yet"
expect "the file to edit is named" says "edit +labs/01_switch_asm/exercise/context.cpp"
expect "it costs little" costs_at_most 2000
ask check 04 4.1
expect "lab 04 is refused where lab 01 is not written" says "Lab 04 stands on lab 01, .*step 1\.1"
expect "it ends with 1" ends_with 1
expect "it costs less" costs_at_most 1000
command=$(grep -o '\./lab .*' <<<"$answer")
expect "one command is named" [ "$command" = "./lab start --from 04" ]
ask check 05
expect "lab 05 tells the same" says "\./lab start --from 05$"
ask progress
expect "so does progress" says "\./lab start --from 04$"
expect "nothing is built" nothing_is_built

# The first verdict on a step that is written, after an edit, and of one that fails: the bars are 60 s of two
# processors, 3 s and 5 s.
context=labs/01_switch_asm/exercise/context.cpp
git -C "$whole" show HEAD:labs/01_switch_asm/solution/context.cpp >"$context"
ask check 01
expect "a step that is written gets a verdict" says "✓ 1\.1 .*pass"
expect "the first verdict costs at most a minute of two processors" costs_at_most 120000
ask check 01 1.2
expect "the next step is not written" says "· 1\.2 .*not implemented yet"
expect "that costs nothing more" costs_at_most 2000
echo "// one more line" >>"$context"
ask check 01
expect "after an edit the verdict is the same" says "✓ 1\.1 .*pass"
expect "it costs at most 3 s of a processor" costs_at_most 3000
sed -i 's/context\.r12 = [^;]*;/context.r12 = 0;/' "$context"
ask check 01
expect "a step that is wrong fails" says "✗ 1\.1"
expect "it costs at most 5 s of a processor" costs_at_most 5000
git checkout -q "$context"
ask check 01 1.1
expect "a step that is taken back is not written" says "· 1\.1 .*not implemented yet"

# The labs below are given where they are not written; what the student wrote stays, or is kept beside it.
git -C "$whole" show HEAD:labs/01_switch_asm/solution/context.cpp >"$context"
echo "// mine" >>"$context"
echo "// begun" >>labs/01_switch_asm/exercise/coroutine.cpp
# shellcheck disable=SC2086  # as it was named
ask ${command#./lab }
expect "the command that was named works" ends_with 0
expect "what is written stays" grep -q "// mine" "$context"
expect "what is not is given" cmp -s labs/02_ucontext/exercise/fiber.cpp "$whole/labs/02_ucontext/solution/fiber.cpp"
expect "what was begun is kept" grep -q "// begun" labs/01_switch_asm/exercise/coroutine.cpp.kept-*
ask check 04 4.1
expect "lab 04 can begin" says "· 4\.1 .*not implemented yet"
ask progress
expect "progress says what was given" says "✓ 02_ucontext .*solved for you"
expect "and where you are" says "→ 04_scheduler"

# From the whole tree, a tree that begins with a lab.
cd "$work/whole" || exit
ask start --from 03 "$work/from"
expect "a tree that begins with lab 03" cmp -s "$work/from/labs/02_ucontext/exercise/pool.cpp" \
  "$whole/labs/02_ucontext/solution/pool.cpp"

echo "a fresh tree: $passed passed, $failed failed"
[ "$failed" = 0 ]
