# shellcheck shell=bash disable=SC2154
# The verb debug: gdb with the kit's commands. Sourced by `lab`, whose root, die and lab_name it uses.

# open_core NN FILE: gdb on what a crash of a test has left.
open_core() {
  local program=$root/build/$mine/bin/lab$1_tests
  [ -f "$2" ] || die no_core "$1" "$2"
  [ -x "$program" ] || die core_unreadable "$program"
  [ ! "$program" -nt "$2" ] || phrase older_core >&2
  start_gdb "$program" -core "$2"
}

# gdb with the kit's commands; FIBERSCOPE_GDB: further options of gdb, as "-batch -x FILE", for tests.
start_gdb() {
  command -v gdb >/dev/null || install_packages "to debug" gdb || die no_gdb
  cd "$root" || exit 2
  # shellcheck disable=SC2086  # a list of options
  exec gdb -q -iex "set auto-load no" -x extras/gdb/fiberscope.py ${FIBERSCOPE_GDB:-} "$@"
}

# debug NN "TEST" | --demo NAME: gdb with the kit's commands, in a build in which every local variable can be printed.
# debug NN --core FILE: the same on what a crash of ./lab check has left.
debug() {
  local name number dir=$root/build/debug what=() program=tests labs=exercise
  name=$(lab_name "${1:-}")
  number=${name:0:2}
  shift
  while [ $# -gt 0 ]; do
    case $1 in
      --demo)
        [ $# -gt 1 ] || die demo_needs_name "$number"
        program=demo what=("$2")
        shift
        ;;
      --core)
        [ $# -gt 1 ] || die core_needs_file
        open_core "$number" "$(realpath -m "$2")"
        ;;
      --reference) labs=solution dir=$root/build/debug_reference ;;
      *) what=(--one "$1") ;;
    esac
    shift
  done
  [ ${#what[@]} -gt 0 ] || die which_to_debug "$number"
  [ -f "$dir/build.ninja" ] || (cd "$root" && cmake --preset debug -B "$dir" -DLABS=$labs >/dev/null) ||
    die cmake_failed "$dir"
  phrase debugger >&2
  cmake --build "$dir" --target "lab${number}_$program" >&2 || die build_failed
  start_gdb --args "$dir/bin/lab${number}_$program" "${what[@]}"
}
