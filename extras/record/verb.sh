# shellcheck shell=bash disable=SC2154
# The verb record: any program, with a library that is preloaded. Sourced by `lab`, whose root, bin, build and die it
# uses.

# printable TEXT: with control characters escaped.
printable() {
  if [[ $1 == *[[:cntrl:]]* ]]; then printf %q "$1"; else echo "$1"; fi
}

# record [--out FILE] PROGRAM [ARGUMENT…]: exits with the program's status. The library writes FILE for the program, and
# FILE with a process number for each of its children that uses coroutines. It appends the names of the files that it
# begins to a list. LD_PRELOAD cannot contain blanks.
record() {
  local out="" status=0 program place preload signal files=()
  while [[ ${1:-} == -* ]]; do
    case $1 in
      --out) [ $# -gt 1 ] || die "lab: --out needs a file"; out=$2; shift ;;
      --) shift; break ;;
      *) die "lab: {1} has no option {0}; ./lab {1} --help lists them" "$1" record ;;
    esac
    shift
  done
  [ $# -gt 0 ] || die "lab: missing PROGRAM (usage: ./lab record [--out FILE] PROGRAM ARGUMENT…)"
  program=$(printable "$1")
  type -P -- "$1" >/dev/null || die "lab: {0}: command not found" "$program"
  build default fiberscope_preload.so
  out=$(realpath -m -- "${out:-$root/build/traces/$(basename -- "$1").json}")
  place=$(mktemp -d)
  : >"$place/files"
  preload=$bin/fiberscope_preload.so
  if [[ $preload == *[[:space:]:]* ]]; then
    ln -s "$preload" "$place/"
    preload=$place/fiberscope_preload.so
  fi
  trap : INT                  # the program handles it
  exec {own}>&2 2>/dev/null # without bash's message about a signal, which quotes this script
  (
    exec 2>&"$own" {own}>&-
    export FIBERSCOPE_TRACE_FILE=$out FIBERSCOPE_TRACED_PROCESS=$BASHPID FIBERSCOPE_TRACED_FILES=$place/files
    export LD_PRELOAD=$preload${LD_PRELOAD:+:$LD_PRELOAD}
    exec -- "$@"
  ) || status=$?
  exec 2>&"$own" {own}>&-
  trap - INT
  if [ $status -gt 128 ] && signal=$(kill -l $status 2>/dev/null); then
    phrase "lab: signal {1} ended {0}" "$program" "$signal" >&2
  fi
  mapfile -d "" -t files <"$place/files" # an empty name: a file that could not be written, as the library has said
  rm -r "$place"
  if [ ${#files[@]} = 0 ]; then
    phrase "lab: no recording: {0} has created no coroutine by a shared library's makecontext or make_fcontext" \
      "$program" >&2
    phrase "lab: functions that are linked statically, and switches by longjmp, cannot be recorded" >&2
    [ $status != 0 ] || status=1
    return $status
  fi
  if [ -n "$(printf %s "${files[@]}")" ]; then
    phrase "lab: recorded: {0}" "$(printable "${files[*]}")" >&2
  elif [ $status = 0 ]; then
    status=1
  fi
  return $status
}
