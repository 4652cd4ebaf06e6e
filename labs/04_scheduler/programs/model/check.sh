#!/usr/bin/env bash
# Asks spin about park.pml: the protocol must hold, and without any one of its parts spin must find a machine that
# sleeps beside work. Ends with 77 where there is no spin.
set -euo pipefail
model=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/park.pml
case ${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} in zh*) chinese=yes ;; *) chinese="" ;; esac
# say ENGLISH CHINESE
say() { if [ -n "$chinese" ]; then echo "$2"; else echo "$1"; fi; }
command -v spin >/dev/null || {
  say "there is no spin here (Debian's package spin)" "这里没有 spin（Debian 的软件包 spin）" >&2
  exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

passed=0 failed=0
found_in_words() {
  case $1 in
    holds) say "$1" "成立" ;;
    fails) say "$1" "不成立" ;;
    *) say "$1" "无法检查" ;;
  esac
}

# ask NAME WANTED: WANTED is "holds" or "fails"
ask() {
  local name=$1 wanted=$2 report found
  report=$(spin ${name:+-D$name} -run -safety "$model" 2>&1) || true
  case $report in
    *"errors: 0"*) found=holds ;;
    *"assertion violated"*) found=fails ;;
    *) echo "$report"; found="cannot be checked" ;;
  esac
  printf '%-16s %s\n' "${name:-park.pml}" "$(found_in_words "$found")"
  if [ "$found" = "$wanted" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

ask "" holds
for part in NO_LOOK NO_ANNOUNCEMENT NO_FENCE NO_TOKEN; do ask $part fails; done
say "the model of parking: $passed passed, $failed failed" "机器挂起的模型：$passed 个通过，$failed 个失败"
[ $failed = 0 ]
