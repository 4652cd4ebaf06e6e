# shellcheck shell=bash
# What the tests of the debugger's commands have in common: they expect lines of gdb's last answer.
passed=0 failed=0 answer="" shown=""

# expect WHAT PATTERN: the last answer has a line like that; else it is shown, once.
expect() {
  if grep -qE -- "$2" <<<"$answer"; then passed=$((passed + 1)); return; fi
  failed=$((failed + 1))
  echo "✗ $1: nothing like: $2"
  # shellcheck disable=SC2001
  [ "$shown" = "$answer" ] || sed 's/^/    | /' <<<"$answer"
  shown=$answer
}
