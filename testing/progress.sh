# shellcheck shell=bash
# How far `./lab test` is and how long it will take. Sourced by all.sh. The seconds of each part are those of the last
# run of the same kind on this computer; before that, those of the table, for 2 processors.

declare -A seconds_of=(
  [format]=3 [build]=223 [ctest]=85 [labs]=22 [right]=29 [starters]=8 [samples]=3 [echo]=10 [debug]=9 [grade]=148
  [steps]=218 [explore]=109 [bench]=24 [student]=84 [docs]=81 [model]=4 [asan]=266 [tsan]=94 [aarch64]=49 [fuzz]=17
  [web]=120
)

# remember_from FILE: replaces the table by what the last run took. A first run scales the table by the processors that
# there are; where all parts run, those beside others cost no time of their own.
remember_from() {
  local part seconds
  if [ -f "$1" ]; then
    while read -r part seconds; do seconds_of[$part]=$seconds; done <"$1"
  else
    for part in "${!seconds_of[@]}"; do seconds_of[$part]=$((seconds_of[$part] * 2 / $(nproc) + 1)); done
    [ "$kind" != full ] || for part in $beside; do seconds_of[$part]=1; done
  fi
}

# seconds_for PART…: what they take together.
seconds_for() {
  local part sum=0
  for part in "$@"; do sum=$((sum + ${seconds_of[$part]:-30})); done
  echo "$sum"
}

as_time() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# time_to_come EXPECTED-OF-WHAT-IS-DONE TAKEN EXPECTED-OF-THE-REST: the rest, at the pace of this run as soon as a
# minute of it is known.
time_to_come() {
  if [ "$1" -ge 60 ]; then echo $(($3 * $2 / $1)); else echo "$3"; fi
}

# how_far BUILD-LOG PART-LOG: what ninja said last while a part is built, else how many verdicts its log has.
how_far() {
  local built verdicts
  if [ ! -f "$2" ]; then
    built=$([ -f "$1" ] && grep -aoE '^\[[0-9]+/[0-9]+\]' "$1" | tail -n 1)
    echo "compiling ${built:-…}"
  else
    verdicts=$(grep -cE '^ *(✓|✗|[0-9]+/[0-9]+ Test)|[0-9]+ passed, [0-9]+ failed$' "$2")
    echo "running, $verdicts answers"
  fi
}

# show_progress HEAD BUILD-LOG PART-LOG PID: a line that is drawn anew each second, on a terminal, until the process
# ends.
show_progress() {
  local from=$SECONDS
  [ -t 1 ] || return 0
  while kill -0 "$4" 2>/dev/null; do
    printf '\r\033[K%s %s, %s' "$1" "$(as_time $((SECONDS - from)))" "$(how_far "$2" "$3")"
    sleep 1
  done
  printf '\r\033[K%s ' "$1"
}
