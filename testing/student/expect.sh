# shellcheck shell=bash disable=SC2001
# What the scripts that go a student's way have in common: they ask ./lab, and expect things of the answer.
unset DISPLAY WAYLAND_DISPLAY
passed=0 failed=0 answer="" shown="" status=0 used=0
times_of_calls=$(mktemp)

# expect WHAT CONDITION…: counts, and shows the last answer, once, if the condition does not hold.
expect() {
  local what=$1
  shift
  if "$@"; then passed=$((passed + 1)); return; fi
  failed=$((failed + 1))
  echo "✗ $what"
  [ "$shown" = "$answer" ] || sed 's/^/    | /' <<<"$answer"
  shown=$answer
}
says() { grep -qE -- "$1" <<<"$answer"; }
says_not() { ! says "$1"; }
ends_with() { [ "$status" = "$1" ]; }
# Of processor time, in ms: a test computer does other things meanwhile.
costs_at_most() { [ "$used" -le "$1" ]; }

# Sets `clock` to the processor time of all that this script has called, in milliseconds.
read_processor_time() {
  times >"$times_of_calls"
  clock=$(tail -n 1 "$times_of_calls" | tr -s 'ms ' ' ' | awk '{ print int(($1 * 60 + $2 + $3 * 60 + $4) * 1000) }')
}
# ask WORD…: ./lab with these words; its answer, status and cost.
ask() {
  local before from
  read_processor_time
  before=$clock from=$(date +%s%N)
  answer=$(./lab "$@" </dev/null 2>&1) && status=0 || status=$?
  read_processor_time
  used=$((clock - before))
  echo "./lab $*: status $status, $used ms of the processor, $((($(date +%s%N) - from) / 1000000)) ms"
}
