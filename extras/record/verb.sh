# shellcheck shell=bash disable=SC2154
# The verb record: any program, with a library that is preloaded. Sourced by `lab`, whose root, bin, build and die it
# uses.

# record [--out FILE] PROGRAM [ARGUMENT…]: exits with the program's status. The library writes FILE for the program, and
# FILE with a process number for each of its children that uses coroutines.
record() {
  local out="" status=0 begin file files=()
  while [[ ${1:-} == -* ]]; do
    case $1 in
      --out) [ $# -gt 1 ] || die "lab: --out needs a file"; out=$2; shift ;;
      --) shift; break ;;
      *) die "lab: {1} has no option {0}; ./lab {1} --help lists them" "$1" record ;;
    esac
    shift
  done
  [ $# -gt 0 ] || die "lab: missing PROGRAM (usage: ./lab record [--out FILE] PROGRAM ARGUMENT…)"
  command -v -- "$1" >/dev/null || die "lab: {0}: command not found" "$1"
  build default fiberscope_preload.so
  out=$(realpath -m -- "${out:-$root/build/traces/$(basename -- "$1").json}")
  begin=$(mktemp)
  exec 3>&2 2>/dev/null # without bash's message about a signal, which quotes this script
  (
    exec 2>&3 3>&-
    export FIBERSCOPE_TRACE_FILE=$out FIBERSCOPE_TRACED_PROCESS=$BASHPID
    export LD_PRELOAD=$bin/fiberscope_preload.so${LD_PRELOAD:+:$LD_PRELOAD}
    exec "$@"
  ) || status=$?
  exec 2>&3 3>&-
  [ $status -le 128 ] || phrase "lab: signal {1} ended {0}" "$1" "$(kill -l $status)" >&2
  for file in "$out" "${out%.json}".*.json; do
    [ ! "$file" -nt "$begin" ] || files+=("$file")
  done
  rm -f "$begin"
  if [ ${#files[@]} = 0 ]; then
    phrase "lab: no recording: {0} has created no coroutine by a shared library's makecontext or make_fcontext" "$1" >&2
    phrase "lab: functions that are linked statically, and switches by longjmp, cannot be recorded" >&2
    [ $status != 0 ] || status=1
    return $status
  fi
  phrase "lab: recorded: {0}" "${files[*]}" >&2
  return $status
}
