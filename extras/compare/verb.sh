# shellcheck shell=bash disable=SC2154
# The verb compare. Sourced by `lab`, whose home, root, bin, asks, build and die it uses.

# labs_with DEMO: the numbers of the labs that have a demo of that name.
labs_with() {
  local number
  for number in $(lab_numbers); do
    ! names_of_demos "$(lab_name "$number")" | grep -qx "$1" || echo "$number"
  done | grep .
}

# compare [NN] DEMO [options]: extras/compare/__main__.py. The number is needed where several labs have such a demo.
compare() {
  local number=""
  if [ -z "$asks" ]; then
    if [[ ${1:-} =~ ^[0-9]+$ ]]; then
      number=$(lab_name "$1") && number=${number:0:2}
      shift
    fi
    [[ ${1:-} =~ ^[a-z_]+$ ]] || die "lab: which demo? As in: ./lab compare {0}" mixed
    [ -n "$number" ] || number=$(labs_with "$1") ||
      die "lab: no lab has a demo \"{0}\"; ./lab run 04 lists those of lab 04" "$1"
    [[ $number != *$'\n'* ]] ||
      die "lab: several labs have it; give a number, as in: ./lab compare {0} {1}" "${number%%$'\n'*}" "$1"
    need_demo "$(lab_name "$number")" "$1"
    build default fiberscope-trace "lab${number}_demo"
  fi
  export FIBERSCOPE_BIN=${FIBERSCOPE_BIN:-$bin} FIBERSCOPE_BUILD=$root/build
  python_program "$home/extras/compare" "$number" "$@"
}
