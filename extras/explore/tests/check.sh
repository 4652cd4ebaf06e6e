#!/usr/bin/env bash
# Explores lab 04 in full: the reference passes all schedules with two preemptions, and each race of its mutants is
# found within ten seconds of processor time, which a busy machine does not change. A race is a mutant that an explored
# test of its step must find: extras/explore/tests/races.txt lists them.
#   check.sh BUILD-DIR
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.." || exit
bin=$1/bin
export FIBERSCOPE_EXPLORE=full

passed=0 failed=0
# explored STEP: the names of its explored tests.
explored() { "$bin/lab04_tests" --names | grep "^$1 explored:"; }

while read -r name; do
  echo "$name"
  if "$bin/lab04_tests" --one "$name" | grep -E "^tried|^found|^judged"; then passed=$((passed + 1))
  else failed=$((failed + 1)); echo "✗ $name"; fi
done < <("$bin/lab04_tests" --names | grep " explored:")

# What it can be asked for, and a wrong option, are said in the reader's language.
for call in --help "--depth x" --nosuch; do
  # shellcheck disable=SC2086  # an option and its value
  said=$(LC_ALL=zh_CN.UTF-8 "$bin/lab04_demo" mixed_go --explore $call 2>&1)
  if [ -n "$said" ] && ! grep -E "Usage|Options|no value|there is|no limit" <<<"$said"; then
    passed=$((passed + 1))
  else failed=$((failed + 1)); echo "✗ --explore $call in Chinese"; fi
done

# is_found MUTANT STEP: prints what was found, and in how many seconds of processor time, making it small included.
is_found() {
  local name report TIMEFORMAT='processor %U %S'
  while read -r name; do
    report=$({ time timeout 120 "$bin/mutants/lab04_mutant_$1" --one "$name"; } 2>&1) && continue
    grep -q "^found: " <<<"$report" || continue
    awk -v mutant="$1" '
      /^processor / { seconds = $2 + $3 }
      /^found: / { sub(/^found: /, ""); what = $0 }
      / preemptions?, .*--schedule/ { preemptions = $1 }
      END { printf "%-34s %5.1f s, %d preemptions: %s\n", mutant, seconds, preemptions, what
            exit !(seconds <= 10 && preemptions <= 2) }' <<<"$report" && return
  done < <(explored "$2")
  return 1
}

while read -r mutant step; do
  [ -x "$bin/mutants/lab04_mutant_$mutant" ] || { failed=$((failed + 1)); echo "✗ $mutant is not built"; continue; }
  if is_found "$mutant" "$step"; then passed=$((passed + 1))
  else failed=$((failed + 1)); echo "✗ $mutant: not found within ten seconds"; fi
done < extras/explore/tests/races.txt
echo "exploring lab 04: $passed passed, $failed failed"
[ $failed = 0 ]
