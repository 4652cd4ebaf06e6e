#!/usr/bin/env bash
# Everything that the project promises, part by part; called by `./lab test`. Each part writes
# build/logs/test-<part>.log, and what it compiles build/logs/build-<part>.log.
usage() {
  cat <<'END'
./lab test [options]     what a change usually breaks; the last line is "N passed, N failed"

  --all          everything that this project promises
  --rest         what --all adds: sanitizers, aarch64, wrong solutions, attacks, a student's way, fuzzing, the page, …
  --only PART    only this part, and what it needs (may be repeated)
  --list         the parts
  --long         more of it: longer fuzzing, every lab's tests again and again, all of aarch64, the benchmarks in full
END
}
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
# shellcheck source=testing/parts.sh
. testing/parts.sh
# shellcheck source=testing/builds.sh
. testing/builds.sh

# What builds in build/default comes first; then parts that mostly wait run while the sanitizers' builds are compiled.
# `right` runs each lab with the limits of a student; `labs` is the same on a test binary alone, and quicker.
first_parts="format build ctest labs starters samples docs"
rest="right echo debug grade steps explore bench student model asan fuzz tsan aarch64 web"
all_parts="$first_parts $rest"
# Each of these is one process at a time, but aarch64, and none asks how long something takes by the clock. So they run
# one after another beside the others, which often wait: explore from the begin of `grade`; what builds in
# build/exercise, as `grade` does, from its end; and what is quick at the same time.
beside=" explore bench student docs model fuzz aarch64 "
long="" kind=first parts=$first_parts
while [ $# -gt 0 ]; do
  case $1 in
    --long) long=yes kind=long beside="" parts=$all_parts ;;
    --all) kind=full parts=$all_parts ;;
    --rest) kind=rest parts=$rest ;;
    --only)
      [ $# -gt 1 ] || { echo "lab test: --only needs a part: $all_parts" >&2; exit 2; }
      declare -F "part_$2" >/dev/null || { echo "lab test: there is no part $2; there are: $all_parts" >&2; exit 2; }
      [ $kind = only ] || parts=""
      parts="$parts $2" kind=only
      shift
      ;;
    --list) echo "$all_parts"; exit 0 ;;
    --help | -h) usage; exit 0 ;;
    *) echo "lab test: there is no option $1; ./lab test --help lists them" >&2; exit 2 ;;
  esac
  shift
done
# shellcheck source=cmake/packages.sh
. cmake/packages.sh
install_for_test "$kind" || exit # behind the questions: who asks for the parts gets nothing installed
export long
read -ra parts <<<"$parts"

logs=build/logs state=build/logs/built use=$PWD/build/logs/processor-seconds-$kind
rm -rf "$state" "$use"
mkdir -p "$state"
for part in "${parts[@]}"; do rm -f "$logs/test-$part.log"; done
use_cache
use_memory_for_temporary_files

# build_ahead PART…: compiles what each part needs; leaves the status in a file of its name. Low priority: tests come
# first.
build_ahead() {
  local part
  renice -n 19 "$BASHPID" >/dev/null 2>&1
  [ "$1" = format ] && shift
  ensure_default || for part in "$@"; do echo 1 >"$state/$part"; done
  for part in "$@"; do
    [ ! -f "$state/$part" ] || continue
    if declare -F "build_$part" >/dev/null; then
      (trap "note_use $part compile" EXIT; set -e; "build_$part") >"$logs/build-$part.log" 2>&1 </dev/null
    fi
    echo $? >"$state/$part"
  done
}

# The default build is configured once; a part alone also needs the grader or all of it.
ensure_default() {
  local log=$logs/build-default.log
  configure_default >"$log" 2>&1 || return
  [[ ! $kind =~ ^(only|rest)$ ]] || needs_default | xargs -r cmake --build build/default --target >>"$log" 2>&1
}
needs_default() {
  local part
  for part in "${parts[@]}"; do
    case $part in
      format | fuzz | student | model | debug | grade | web) ;;
      asan | tsan | aarch64 | starters | steps | explore) echo grader ;;
      *) echo all ;;
    esac
  done | sort -u
}

# counts LOG WORD: the sum over the lines that end in "N passed, N failed"; those of the broken lab are quotations.
counts() {
  sed -nE "/09_broken/d; s/^.*[^0-9]([0-9]+) passed, ([0-9]+) failed$/$2/p" "$1" | awk '{ n += $1 } END { print n + 0 }'
}

# perform PART: waits for its build, and runs it; the status is that of the build if that failed.
perform() {
  local part=$1 log=$logs/test-$1.log built
  if [ "$part" != format ]; then
    while [ ! -s "$state/$part" ]; do
      kill -0 "$builder" 2>/dev/null || [ -s "$state/$part" ] || { echo "the build was stopped" >"$log"; return 1; }
      sleep 0.2
    done
    built=$(cat "$state/$part")
    if [ "$built" != 0 ]; then
      cp "$logs/build-$part.log" "$log" 2>/dev/null || cp "$logs/build-default.log" "$log"
      return "$built"
    fi
  fi
  (trap "note_use $part run" EXIT; set -e; "part_$part") >"$log" 2>&1 </dev/null
}

# note_use PART WHAT: the processor time that this subshell and what it called have used, in seconds.
note_use() {
  times >"$use.$1-$2" # not in a pipeline, which would be a process of its own
  tr 'ms' '  ' <"$use.$1-$2" |
    awk -v what="$1 $2" '{ sum += ($1 + $3) * 60 + $2 + $4 } END { printf "%-18s %6.1f\n", what, sum }' >>"$use"
  rm "$use.$1-$2"
}

# run_beside PART…: performs those of them that run beside others; leaves the status and the seconds of each. Lower
# priority: the others' tests must find the machine nearly as they would without.
run_beside() {
  local part from status mark
  renice -n 10 "$BASHPID" >/dev/null 2>&1
  for part in "$@"; do
    [[ $beside == *" $part "* ]] || continue
    [ "$part" = explore ] && mark=began_grade || mark=ended_grade
    while [[ " $* " == *" grade "* ]] && [ ! -f "$state/$mark" ]; do sleep 0.2; done
    from=$SECONDS
    perform "$part" && status=0 || status=$?
    echo "$status $((SECONDS - from))" >"$state/ended_$part"
  done
}
# await PART: one that runs beside the others.
await() {
  local status
  while [ ! -s "$state/ended_$1" ] && kill -0 "$lane" 2>/dev/null; do sleep 0.2; done
  read -r status _ <"$state/ended_$1" && return "$status"
}

as_time() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

passed=0 failed=0 failures="" left_out="" number=0
run_part() {
  local part=$1 log=$logs/test-$1.log from=$SECONDS status good bad way=perform took
  [[ $beside != *" $part "* ]] || way=await
  : >"$state/began_$part"
  number=$((number + 1))
  printf '%2d/%d  %-9s %s  ' "$number" "${#parts[@]}" "$part" "$(as_time "$SECONDS")"
  $way "$part" &
  wait $! # not in the foreground: a signal is heard at once
  status=$?
  [ -s "$state/ended_$part" ] || : >"$state/ended_$part"
  if [ $status = 77 ]; then
    echo "left out: $(tail -n 1 "$log")"
    left_out="$left_out $part"
    [ "${CI:-}" = true ] || return
  fi
  good=$(counts "$log" '\1') bad=$(counts "$log" '\2')
  [ "$good$bad" = 00 ] && [ $status = 0 ] && good=1
  [ $status != 0 ] && [ "$bad" = 0 ] && bad=1
  passed=$((passed + good)) failed=$((failed + bad))
  took="$((SECONDS - from)) s"
  [ $way = perform ] || took="$took ($(cut -d' ' -f2 "$state/ended_$part") s beside others)"
  if [ $status = 0 ] && [ "$bad" = 0 ]; then
    echo "ok      $took, $good passed"
    grep -A 14 '^Hung once' "$log" | sed 's/^/    | /' || true
  else
    echo "FAILED  $took, $bad failed; the end of $log:"
    tail -n 60 "$log" | sed 's/^/    | /'
    failures="$failures $part"
  fi
}

set -m # in a group of its own, so that no compiler is left when this ends
build_ahead "${parts[@]}" &
builder=$!
SECONDS=0
run_beside "${parts[@]}" &
lane=$!
set +m
trap 'kill -- -"$builder" -"$lane" 2>/dev/null; rm -rf "$in_memory"' EXIT
trap 'exit 130' INT TERM
first=() last=() # last: those that have run beside others by then
for part in "${parts[@]}"; do
  if [[ $beside == *" $part "* ]]; then last+=("$part"); else first+=("$part"); fi
done
parts=(${first[@]+"${first[@]}"} ${last[@]+"${last[@]}"})
for part in "${parts[@]}"; do run_part "$part"; done
echo
echo "$(as_time "$SECONDS") in all.${left_out:+ Left out:$left_out.}\
${failures:+ Failed:$failures; the logs are in $logs.}"
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
