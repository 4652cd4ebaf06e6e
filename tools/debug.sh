# shellcheck shell=bash disable=SC2154
# The verb debug: gdb with the kit's commands. Sourced by `lab`, whose root, die and lab_name it uses.

# open_core NN FILE: gdb on what a crash of a test has left.
open_core() {
  local program=$root/build/$mine/bin/lab$1_tests
  [ -f "$2" ] || die "--core: there is no file $2; './lab check $1 --core' leaves one when a test crashes"
  [ -x "$program" ] || die "--core: $program is not built, so gdb cannot read the core dump"
  [ ! "$program" -nt "$2" ] || phrase older_core >&2
  start_gdb "$program" -core "$2"
}

# gdb with the kit's commands; FIBERSCOPE_GDB: further options of gdb, as "-batch -x FILE", for tests.
start_gdb() {
  command -v gdb >/dev/null || install_packages "to debug" gdb || die "gdb is not installed"
  cd "$root" || die "the tree is gone"
  # shellcheck disable=SC2086  # a list of options
  exec gdb -q -iex "set auto-load no" -x labs/kit/gdb/fiberscope.py ${FIBERSCOPE_GDB:-} "$@"
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
        [ $# -gt 1 ] || die "--demo needs a name; ./lab run $number lists them"
        program=demo what=("$2")
        shift
        ;;
      --core)
        [ $# -gt 1 ] || die "--core needs a file; the story of a crash names it"
        open_core "$number" "$(realpath -m "$2")"
        ;;
      --reference) labs=solution dir=$root/build/debug_reference ;;
      *) what=(--one "$1") ;;
    esac
    shift
  done
  [ ${#what[@]} -gt 0 ] || die "which test? Its whole name, as ./lab check $number shows it, or --demo NAME"
  [ -f "$dir/build.ninja" ] || (cd "$root" && cmake --preset debug -B "$dir" -DLABS=$labs >/dev/null) ||
    die "cmake failed"
  phrase debugger >&2
  cmake --build "$dir" --target "lab${number}_$program" >&2 || die "the build failed"
  start_gdb --args "$dir/bin/lab${number}_$program" "${what[@]}"
}
