# shellcheck shell=bash disable=SC2154
# The verb debug: gdb with the kit's commands. Sourced by `lab`, whose root, die and lab_name it uses.

# gdb with the kit's commands; FIBERSCOPE_GDB: further options of gdb, as "-batch -x FILE", for tests.
start_gdb() {
  command -v gdb >/dev/null || install_packages "to debug" gdb || die "lab: gdb is not installed"
  cd "$root" || exit 2
  unset PYTHONPATH PYTHONHOME PYTHONSTARTUP  # gdb's Python would import even standard modules from there
  # shellcheck disable=SC2086  # a list of options
  exec gdb -q -iex "set auto-load no" -x "$home/extras/gdb/fiberscope.py" ${FIBERSCOPE_GDB:-} "$@"
}

# debug NN "TEST" | --demo NAME: gdb with the kit's commands, in a build in which every local variable can be printed.
debug() {
  local name number dir=$root/build/debug what=() program=tests labs=exercise
  name=$(lab_name "${1:-}")
  number=${name:0:2}
  shift
  while [ $# -gt 0 ]; do
    case $1 in
      --demo)
        [ $# -gt 1 ] || die "lab: --demo needs a name; ./lab run {0} lists them" "$number"
        need_demo "$name" "$2"
        program=demo what=("$2")
        shift
        ;;
      --reference) labs=solution dir=$root/build/debug_reference ;;
      *) what=(--one "$1") ;;
    esac
    shift
  done
  [ ${#what[@]} -gt 0 ] || die "lab: missing TEST, its full name as shown by ./lab check {0}, or --demo NAME" "$number"
  if [ "$root" != "$home" ]; then
    [ -n "$is_student" ] || die "lab: {0} works in a student's tree; create one: fiberscope start DIR" debug
    build_mine "lab${number}_$program"
    start_gdb --args "$mine/bin/lab${number}_$program" "${what[@]}"
  fi
  [ -f "$dir/build.ninja" ] || (cd "$root" && cmake --preset debug -B "$dir" -DLABS=$labs >/dev/null) ||
    die "lab: cmake failed; full output: {0}" "$dir"
  phrase "lab: building for the debugger (the first time takes some minutes)" >&2
  cmake --build "$dir" --target "lab${number}_$program" >&2 || die "lab: the build failed"
  start_gdb --args "$dir/bin/lab${number}_$program" "${what[@]}"
}
