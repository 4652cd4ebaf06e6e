#!/usr/bin/env bash
# Attacks on the grader of submissions: testing/grade/attacks.py. Ends with 77 where bubblewrap is missing.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
command -v bwrap >/dev/null || { echo "there is no bwrap here (Debian's package bubblewrap)" >&2; exit 77; }
python=/usr/bin/python3
[ -x $python ] || python=python3
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT
$python -B -W error::ResourceWarning testing/grade/attacks.py >"$answer" 2>&1 && status=0 || status=$?
grep -v '^\.*grade: ' "$answer"
ran=$(sed -nE 's/^Ran ([0-9]+) tests? in .*/\1/p' "$answer")
failed=$(sed -nE 's/^FAILED \((.*)\)$/\1/p' "$answer" | grep -oE '(failures|errors)=[0-9]+' | cut -d= -f2 |
  awk "{ n += \$1 } END { print n + 0 }")
echo "attacks on the grader: $((${ran:-0} - ${failed:-0})) passed, ${failed:-0} failed"
exit "$status"
