#!/usr/bin/env bash
# Attacks on the grader of submissions: extras/grading/tests/attacks.py, several at a time, because they mostly wait.
# Where bubblewrap does not work, what holds without it is tested, and the attacks that only it holds are named.
#   check.sh [NAME…]
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.." || exit
python=/usr/bin/python3
[ -x $python ] || python=python3
export python answers LC_ALL=C.UTF-8
answers=$(mktemp -d)
trap 'rm -rf "$answers"' EXIT
names=("$@")
[ $# -gt 0 ] || mapfile -t names < <($python -B extras/grading/tests/attacks.py --list)
# shellcheck disable=SC2016  # the inner shell's
printf '%s\n' "${names[@]}" | xargs -P $(($(nproc) * 2)) -I NAME sh -c \
  'begin=$(date +%s); $python -B -W error::ResourceWarning extras/grading/tests/attacks.py NAME >"$answers/NAME" 2>&1
   status=$?; echo "NAME: $(($(date +%s) - begin)) s" >>"$answers/NAME"; exit $status' && status=0 || status=$?
for name in "${names[@]}"; do grep -v '^[.s]*grade: ' "$answers/$name"; done
# count EXPRESSION: the sum of the number in it over all answers.
count() { cat "$answers"/* | sed -nE "s/$1/\1/p" | awk '{ n += $1 } END { print n + 0 }'; }
ran=$(count '^Ran ([0-9]+) tests? in .*')
failed=$(($(count '^FAILED \(.*failures=([0-9]+).*\)$') + $(count '^FAILED \(.*errors=([0-9]+).*\)$')))
skipped=$(count '^[OF][A-Z]+ \(.*skipped=([0-9]+).*\)$')
[ "$skipped" = 0 ] || echo "bubblewrap does not work here: $skipped attacks, named above, are not held"
echo "attacks on the grader: $((ran - failed - skipped)) passed, $failed failed"
[ "$status" = 0 ] && [ "$ran" -gt 0 ]
