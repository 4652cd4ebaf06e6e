# shellcheck shell=bash disable=SC2154
# The verb explore. Sourced by `lab`, whose root, mine, build, die and lab_name it uses.

# explore NN DEMO|"TEST" [options]: explores the interleavings of several machines. A test is explored with the
# student's own files, a demo with the reference, unless --mine or --reference is given.
explore() {
  local name number preset what before=() rest=() has_out=""
  name=$(lab_name "${1:-}")
  number=${name:0:2}
  grep -q EXPLORED "$home/labs/$name/CMakeLists.txt" ||
    die "lab: lab {0} runs on one machine: there is nothing to explore" "$number"
  what=${2:-}
  [ -n "$what" ] ||
    die "lab: missing DEMO or TEST (usage: ./lab explore 04 mixed_go --machines 2; --help shows all options)"
  shift 2
  if [[ $what =~ ^[1-9]\.[0-9]+\  ]]; then preset=exercise; else preset=default; fi
  while [ $# -gt 0 ]; do
    case $1 in
      --mine) preset=exercise ;;
      --reference) preset=default ;;
      --machines | --strategy)
        [ $# -gt 1 ] || die "lab: {0} needs a value; ./lab {1} --help lists the options" "$1" explore
        before+=("$1" "$2")
        shift
        ;;
      --with-known-bug) before+=("$1") ;;
      --out) has_out=yes; rest+=("$1") ;;
      *) rest+=("$1") ;;
    esac
    shift
  done
  mkdir -p "$home/build/traces"
  [ -n "$has_out" ] || rest+=(--out "$home/build/traces/explored_$number.json")
  if [[ $what =~ ^[1-9]\.[0-9]+\  ]]; then
    build "$preset" "lab${number}_tests"
    exec "$home/build/$preset/bin/lab${number}_tests" --explore "$what" "${rest[@]}"
  fi
  [ "$what" != --help ] || what=mixed_go rest=(--help)
  need_demo "$name" "$what"
  build "$preset" "lab${number}_explore"
  exec "$home/build/$preset/bin/lab${number}_explore" "$what" ${before[@]+"${before[@]}"} --explore "${rest[@]}"
}
