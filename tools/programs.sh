# shellcheck shell=bash disable=SC2154,SC2046,SC2001
# The verbs that start programs: demo, run, view, bench. Sourced by `lab`, whose root, bin, build, die and lab_name they
# use.

# find_files ARGUMENT…: sets `found` to the arguments, with the names of samples (01_nested, or its path in the sources)
# replaced by their paths; in a student's tree a missing X.json also means X_mine.json, which ./lab run wrote. Exits,
# before anything is built, if a recording does not exist. The argument after an option may be its value.
find_files() {
  local argument before="" sample
  found=()
  for argument in "$@"; do
    if [[ $argument != -* && $before != --out && $before != --render && ! -e $argument ]]; then
      sample=$home/traces/samples/$(basename "$argument" .json).json
      if [[ $argument =~ ^(traces/samples/)?[0-9]{2}_[a-z0-9_]+(\.json)?$ && -f $sample ]]; then
        argument=$sample
      elif [[ -n $is_student && -e ${argument%.json}_mine.json ]]; then
        argument=${argument%.json}_mine.json
      elif [[ $before != -* || $argument == *.json ]]; then
        die "lab: {0} does not exist" "$argument"
      fi
    fi
    before=$argument
    found+=("$argument")
  done
}

# names_of_demos LAB: from the source, before anything is built, or from an installed program.
names_of_demos() {
  if [ ! -f "$home/labs/$1/programs/demo.cpp" ]; then
    "$kit/bin/lab${1:0:2}_demo" --list-all | cut -f 1
    return
  fi
  find "$home/labs/$1" -path '*/programs/demo*.cpp' \
    -exec sed -snE '/kDemos\[\]|MoreDemos/,$s/^ *\{(\.name = )?"([a-z0-9_]+)",.*/\2/p' {} +
}

# need_demo LAB DEMO: exits, before anything is built, if the lab has no such demo.
need_demo() {
  names_of_demos "$1" | grep -qxF -e "$2" && return
  phrase "lab: lab {0} has no demo \"{1}\"; there are:" "${1:0:2}" "$2" >&2
  names_of_demos "$1" | paste -sd ' ' >&2
  exit 2
}

# names_of_tools LAB: its programs without recordings, from the source or from the installed program.
names_of_tools() {
  local folder=$home/labs/$1 program=$bin/lab${1:0:2}_tools
  if [ -f "$folder/programs/tools.cpp" ]; then
    find "$folder" -path '*/programs/tools*.cpp' \
      -exec sed -nE 's/^ *"([a-z_]+)",($| spoken\(.*)/\1/p; s/.*\.verb\("([a-z_]+)",.*/\1/p' {} +
  elif [ -x "$program" ]; then
    "$program" --help | sed -nE '/^Verbs:/,$s/^  ([a-z_]+) .*/\1/p'
  fi
}

has_display() { [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; }

# view FILE… [options of the viewer]: opens a window, or draws a picture of each if there is no display. Of many
# pictures it names the first.
view() {
  local argument picture together="" status=0 files=() drawn=() options=(--size 1600x900)
  export FIBERSCOPE_DEMOS=$bin FIBERSCOPE_DEMOS_MINE=$mine/bin # used to run a demo again (Shift K)
  if has_display; then exec "$bin/fiberscope-viewer" "$@"; fi
  for argument in "$@"; do
    [[ $argument == --render || $argument == --help || $argument == -h ]] && exec "$bin/fiberscope-viewer" "$@"
  done
  while [ $# -gt 0 ]; do
    case $1 in
      --side-by-side) together=side_by_side options+=("$1") ;;
      --matrix) together=matrix options+=("$1") ;;
      --*) options+=("$1" "${2:-}"); [ $# -gt 1 ] && shift ;;
      *) files+=("$1") ;;
    esac
    shift
  done
  phrase "lab: there is no display; drawing pictures"
  mkdir -p "$root/build/pictures"
  if [ -n "$together" ]; then
    exec "$bin/fiberscope-viewer" "${files[@]}" --render "$root/build/pictures/$together.png" "${options[@]}"
  fi
  for argument in "${files[@]}"; do
    picture=$root/build/pictures/$(basename "$argument" .json).png
    "$bin/fiberscope-viewer" "$argument" --render "$picture" "${options[@]}" >/dev/null || { status=1; continue; }
    drawn+=("$picture")
  done
  if [ ${#drawn[@]} -gt 8 ]; then
    phrase "lab: {0} pictures are in {1}; begin with {2}" ${#drawn[@]} build/pictures "$(basename "${drawn[0]}")"
  else
    printf '%s\n' ${drawn[@]+"${drawn[@]}"}
  fi
  return $status
}

# The recordings of the reference, and those of ./lab run.
demo_of_student() {
  local file name="" files=()
  [ -z "${1:-}" ] || name=$(lab_name "$1")
  name=${name:0:2}
  build default fiberscope-viewer
  for file in "$home"/traces/samples/"$name"*.json "$root"/build/traces/"$name"*.json; do
    [ ! -f "$file" ] || files+=("$file")
  done
  if ! has_display && [ -z "$name" ]; then
    phrase "lab: drawing lab 01 only; ./lab demo 02 draws lab 02"
    demo_of_student 01
    return
  fi
  view "${files[@]}"
}

# demo [NN]: records the demos of every lab, or of one.
demo() {
  local number numbers program name file failed=0 files=()
  if [ "$root" != "$home" ]; then
    demo_of_student "$@"
    return
  fi
  numbers=$(lab_numbers)
  if [ -n "${1:-}" ]; then
    name=$(lab_name "$1") || exit
    numbers=${name:0:2}
  fi
  install_for_build
  phrase "lab: building (the first time takes some minutes)"
  build default fiberscope-viewer fiberscope-trace $(sed 's/.*/lab&_demo/' <<<"$numbers")
  for number in $numbers; do
    program=$bin/lab${number}_demo
    while IFS=$'\t' read -r name _; do
      file=$root/build/traces/${number}_$name.json
      "$program" "$name" --out "$file" >/dev/null || { failed=1; continue; }
      files+=("$file")
    done < <("$program" --list)
  done
  [ ${#files[@]} -gt 0 ] || die "lab: no demo could be recorded"
  phrase "lab: {0} recordings are in {1}" ${#files[@]} build/traces
  view "${files[@]}"
  return $failed
}

# list_demos PROGRAM ROOM: lists the demos with descriptions, in the user's language.
list_demos() {
  paste <("$1" --list-all | cut -f 1) <("$1" --list-all | cut -f 2 | in_words "$2") |
    while IFS=$'\t' read -r demo about; do printf '  %-26s %s\n' "$demo" "$about"; done
}

run() {
  local name number program suffix="" demo="" out="" rest=() all="" names is_mine=$is_student
  name=$(lab_name "${1:-}")
  number=${name:0:2}
  shift
  if names_of_tools "$name" | grep -qxF -e "${1:-}"; then
    build default "lab${number}_tools"
    exec "$bin/lab${number}_tools" "$@"
  fi
  while [ $# -gt 0 ]; do
    case $1 in
      --mine) is_mine=yes ;;
      --out) [ $# -gt 1 ] || die "lab: --out needs a file"; out=$2; shift ;;
      --strategy) [ "${2:-}" = all ] && all=yes; rest+=("$1" "${2:-}"); [ $# -gt 1 ] && shift ;;
      *) if [ -z "$demo" ] && [[ $1 != -* ]]; then demo=$1; else rest+=("$1"); fi ;;
    esac
    shift
  done
  [ -z "$demo" ] || need_demo "$name" "$demo"
  if [ -n "$is_mine" ]; then
    suffix=_mine program=$mine/bin/lab${number}_demo
    build_mine "lab${number}_demo"
  else
    program=$bin/lab${number}_demo
    build default "lab${number}_demo"
  fi
  if [ -z "$demo" ]; then
    list_demos "$program" "labs/$name"
    phrase "Run one: ./lab run {0} DEMO  (its options: ./lab run {0} DEMO --help)" "$number"
    names=$(names_of_tools "$name" | paste -sd ' ')
    [ -z "$names" ] || phrase "Programs without a recording: {0}" "$names"
    return
  fi
  if [ -n "$all" ]; then
    build default fiberscope-trace
    out=${out:-$root/build/traces/${number}_$demo$suffix}
    "$program" "$demo" --out "$out" "${rest[@]}" || return
    "$bin/fiberscope-trace" figures "$out/$demo"_*.json
    return
  fi
  out=${out:-$root/build/traces/${number}_$demo$suffix.json}
  local call=("$program" "$demo" --out "$out" ${rest[@]+"${rest[@]}"})
  [ -n "$is_mine" ] || exec "${call[@]}"
  "${call[@]}" || { name_sample "$number" "$demo" $? "$out"; return; }
  [ ${#rest[@]} != 0 ] || compare_with_sample "$number" "$demo" "$out"
}

# name_sample NN DEMO STATUS TRACE: names recordings to watch until the files that a demo needs are written: the one up
# to the first missing file, if it contains a coroutine, and the sample. Returns the status.
name_sample() {
  local sample=$home/traces/samples/$1_$2.json
  [ "$3" = 77 ] || return "$3"
  if grep -q '"backend"' "$4" 2>/dev/null; then
    phrase "lab: the recording of your files up to that point: ./lab view {0}" "${4#"$root"/}" >&2
  else
    rm -f "$4"
  fi
  [ ! -f "$sample" ] ||
    phrase "lab: the expected recording, from the reference: ./lab view {0}" "$1_$2" >&2
  return "$3"
}

# Without options a demo is reproducible: a student's recording can be compared with that of the reference.
compare_with_sample() {
  local sample=$home/traces/samples/$1_$2.json
  [ -f "$sample" ] || return 0
  build default fiberscope-trace
  if "$bin/fiberscope-trace" compare "$sample" "$3" >/dev/null; then
    phrase "Your recordings are the same as the reference's: {0}" "$2" >&2
  else
    phrase "Your recording of {0} differs from the reference's, and both may be right: {1}" \
      "$2" "./lab trace compare $1_$2 ${3#"$root"/}" >&2
  fi
}

# BENCHMARK_PRESET=default: uses the programs built for the tests. The figures are then meaningless; it only tests that
# the benchmark works.
bench() {
  local number numbers preset=${BENCHMARK_PRESET:-release}
  [ "${1:-}" != web ] || exec "$home/viewer/web/tests/check.py" --bars
  if [[ ${1:-} =~ ^[0-9] ]]; then
    numbers=$(lab_name "$1") && numbers=${numbers:0:2}
    shift
  else
    numbers=$(lab_numbers)
  fi
  if [ "$root" != "$home" ]; then
    for number in $numbers; do bench_mine "$number" "$@"; done
    return
  fi
  build "$preset" $(sed 's/.*/lab&_bench/' <<<"$numbers")
  for number in $numbers; do "$home/build/$preset/bin/lab${number}_bench" "$@"; done
}

# bench_mine NN [OPTION…]: of the student's files, compiled as for ./lab check.
bench_mine() {
  if [ -n "$asks" ]; then
    usage_of bench
    exit
  fi
  [ -n "$is_installed" ] || use_variant optimized
  build_mine "lab$1_bench"
  "$mine/bin/lab$1_bench" "${@:2}"
}
