#!/usr/bin/env bash
# right.sh BUILD [LAB…]: what is right must never be called wrong. Checks labs with the reference in place of the
# student's files, by the command and the limits of `./lab check`: on the machine as it is, and with eight busy loops
# beside it; there only lab 02 and the step that maps very many stacks, unless `long` is set. So many `rounds`, if that
# is set: `rounds=100 ./lab test --long --only right`.
# shellcheck disable=SC2012,SC2001
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
build=$1
shift
labs=${*:-$(cd labs && ls -d [0-9][0-9]_*/ | tr -d /)}
passed=0 failed=0 loops=()
trap 'kill "${loops[@]}" 2>/dev/null' EXIT

# check LAB WHERE [options]: it must be solved, all steps of it if it is checked alone, and nothing may have failed.
check() {
  local lab=$1 where=$2 from=$SECONDS answer status says=""
  [ "$where" != alone ] || says="^The lab is solved\\.$"
  shift 2
  answer=$("$build/bin/grader" check --lab "labs/$lab" --program "$build/bin/lab${lab:0:2}_tests" \
    --traces "$build/traces" --language en "$@" 2>&1) && status=0 || status=$?
  if [ $status = 0 ] && grep -q "$says" <<<"$answer" && ! grep -qE '^ *[✗–·]' <<<"$answer"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "✗ $lab $where: called wrong"
    sed 's/^/    | /' <<<"$answer"
  fi
  echo "$lab $where: $((SECONDS - from)) s"
}

for lab in $labs; do check "$lab" "alone"; done
for _ in 1 2 3 4 5 6 7 8; do
  while :; do :; done &
  loops+=($!)
done
for ((round = 1; round <= ${rounds:-1}; round++)); do
  for lab in $labs; do
    if [ -n "${long:-}" ] || [ "$lab" = 02_ucontext ]; then
      check "$lab" "beside eight loops, round $round"
    elif [ "$lab" = 04_scheduler ]; then
      check "$lab" "beside eight loops, step 4.1, round $round" --only 4.1
    fi
  done
done
echo "right work is called right: $passed passed, $failed failed"
[ $failed = 0 ]
