#!/usr/bin/env bash
# Asks spin about park.pml: the protocol must hold, and without any one of its parts spin must find a machine that
# sleeps beside work. Ends with 77 where there is no spin.
set -euo pipefail
model=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/park.pml
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
# shellcheck source=tools/say.sh
. "$root/tools/say.sh"
room=labs/04_scheduler
command -v spin >/dev/null || {
  phrase "there is no spin here (Debian's package spin)" >&2
  exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

passed=0 failed=0
# ask NAME WANTED: WANTED is "holds" or "fails"
ask() {
  local name=$1 wanted=$2 report found
  report=$(spin ${name:+-D$name} -run -safety "$model" 2>&1) || true
  case $report in
    *"errors: 0"*) found=holds ;;
    *"assertion violated"*) found=fails ;;
    *) echo "$report"; found="cannot be checked" ;;
  esac
  printf '%-16s %s\n' "${name:-park.pml}" "$(phrase "$found")"
  if [ "$found" = "$wanted" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

ask "" holds
for part in NO_LOOK NO_ANNOUNCEMENT NO_FENCE NO_TOKEN; do ask $part fails; done
phrase "the model of parking: {0} passed, {1} failed" $passed $failed
[ $failed = 0 ]
