#!/usr/bin/env bash
# Runs every command that README.md, docs/ and the handouts show in a ```sh block, from the tree's root and without a
# display. A command may end with 0; `./lab check` also with 1 and `--mine` with 77: the lab is not solved here.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
unset DISPLAY WAYLAND_DISPLAY
# A benchmark's command must work; what it measures is judged elsewhere.
export BENCHMARK_MIN_TIME=0.001 BENCHMARK_REPETITIONS=1
# Optimising across files takes long: it is done for one lab, and with `long` set for all.
preset_of() {
  if [ -n "${long:-}" ] || [[ $1 == "./lab bench 01"* ]]; then echo release; else echo default; fi
}

# What is not run here: ./lab test runs this script, and the others would leave the tree or need a second one.
# shellcheck disable=SC2016
exempt='^(git clone|cd |\./lab test|\$EDITOR)'

commands() {
  git ls-files -z '*.md' | while IFS= read -r -d '' page; do
    awk -v page="$page" '
      /^[ ]*```sh[ ]*$/ { inside = 1; next }
      /^[ ]*```/ { inside = 0 }
      inside && $0 !~ /^[ ]*(#|$)/ {
        sub(/^[ ]+/, ""); sub(/[ ]+#.*$/, "")
        if (sub(/\\$/, "")) { begun = begun $0; next }
        print page ":" FNR "\t" begun $0
        begun = ""
      }' "$page"
  done
}

passed=0 failed=0 status=0
declare -A seen=()
before=$(git status --porcelain)
while IFS=$'\t' read -r place command; do
  [[ $command =~ $exempt ]] && continue
  [ -n "${seen[$command]:-}" ] && continue
  seen[$command]=yes
  output=$(BENCHMARK_PRESET=$(preset_of "$command") timeout 600 bash -c "$command" </dev/null 2>&1) &&
    status=0 || status=$?
  if [ $status = 0 ] || { [ $status = 1 ] && [[ $command == "./lab check"* ]]; } ||
    { [ $status = 77 ] && [[ $command == *--mine* ]]; }; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf '%s: this command ends with status %s: %s\n%s\n' "$place" "$status" "$command" "$(tail -n 15 <<<"$output")"
  fi
done < <(commands)
if [ "$before" != "$(git status --porcelain)" ]; then
  echo "a command of the documents changed files of the tree:"
  git status --porcelain
  failed=$((failed + 1))
fi
echo "commands of the documents: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
