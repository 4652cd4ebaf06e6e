# shellcheck shell=bash disable=SC2154,SC2046,SC2001
# The verbs that start what was built: demo, run, view, tool, bench. Sourced by `lab`, whose root, bin, build,
# die and lab_name they use.

# find_speaker: sets `speaker` to what the programs of a lab, which know English, are started with to speak the language
# of the reader.
speaker=()
find_speaker() {
  [ "$language" = zh ] || return 0
  [ -z "$asks" ] || [ -x "$bin/speak" ] || return 0
  build default speak
  speaker=("$bin/speak")
}

# need_files ARGUMENT…: ends, before anything is built, if a recording that is named does not exist. What follows an
# option may be its value.
need_files() {
  local argument before=""
  for argument in "$@"; do
    if [[ $argument != -* && $before != --out && $before != --render && ($before != -* || $argument == *.json) ]]; then
      [ -e "$argument" ] || die "lab: there is no file {0}" "$argument"
    fi
    before=$argument
  done
}

# names_of_demos LAB: as they stand in the source, before anything is built.
names_of_demos() {
  sed -nE '/kDemos\[\]/,$s/^ *\{(\.name = )?"([a-z0-9_]+)",.*/\2/p' "$root/labs/$1/programs/demo.cpp"
}

# need_demo LAB DEMO: ends, before anything is built, if the lab has no such demo.
need_demo() {
  names_of_demos "$1" | grep -qxF -e "$2" && return
  phrase "lab: lab {0} has no demo \"{1}\"; there are:" "${1:0:2}" "$2" >&2
  names_of_demos "$1" | paste -sd ' ' >&2
  exit 2
}

has_display() { [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; }

# view FILE… [options of the viewer]: a window, or a picture of each where there is no display. Of many
# pictures it names the first.
view() {
  local argument picture together="" status=0 files=() drawn=() options=(--size 1600x900)
  export FIBERSCOPE_DEMOS=$bin FIBERSCOPE_DEMOS_MINE=$root/build/$mine/bin # what runs a demo again (Shift K)
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

# A student sees the recordings of the reference and what ./lab run has recorded; nothing but the viewer is built for
# it.
demo_of_student() {
  local file name="" files=()
  [ -z "${1:-}" ] || name=$(lab_name "$1")
  name=${name:0:2}
  install_for_build
  [ -x "$bin/fiberscope-viewer" ] || phrase "lab: building the viewer (the first time takes some minutes)"
  build default fiberscope-viewer
  for file in "$root"/traces/samples/"$name"*.json "$root"/build/traces/"$name"*.json; do
    [ ! -f "$file" ] || files+=("$file")
  done
  if ! has_display && [ -z "$name" ]; then
    phrase "lab: only lab 01 is drawn; ./lab demo 02 draws lab 02"
    demo_of_student 01
    return
  fi
  view "${files[@]}"
}

demo() {
  local number program name file failed=0 files=()
  if [ -n "$is_student" ]; then
    demo_of_student "$@"
    return
  fi
  install_for_build
  phrase "lab: building (the first time takes some minutes)"
  find_speaker
  build default fiberscope-viewer fiberscope-trace $(lab_numbers | sed 's/.*/lab&_demo/')
  for number in $(lab_numbers); do
    program=$bin/lab${number}_demo
    while IFS=$'\t' read -r name _; do
      file=$root/build/traces/${number}_$name.json
      ${speaker[@]+"${speaker[@]}"} "$program" "$name" --out "$file" >/dev/null || { failed=1; continue; }
      files+=("$file")
    done < <("$program" --list)
  done
  [ ${#files[@]} -gt 0 ] || die "lab: no demo could be recorded"
  phrase "lab: {0} recordings are in {1}" ${#files[@]} build/traces
  view "${files[@]}"
  return $failed
}

# list_demos PROGRAM ROOM: what each shows, in the language of the reader.
list_demos() {
  paste <("$1" --list-all | cut -f 1) <("$1" --list-all | cut -f 2 | in_words "$2") |
    while IFS=$'\t' read -r demo about; do printf '  %-26s %s\n' "$demo" "$about"; done
}

run() {
  local name number preset=default suffix="" demo="" out="" rest=() all=""
  name=$(lab_name "${1:-}")
  number=${name:0:2}
  shift
  while [ $# -gt 0 ]; do
    case $1 in
      --mine) preset=$mine suffix=_mine ;;
      --out) [ $# -gt 1 ] || die "lab: --out needs a file"; out=$2; shift ;;
      --strategy) [ "${2:-}" = all ] && all=yes; rest+=("$1" "${2:-}"); [ $# -gt 1 ] && shift ;;
      *) if [ -z "$demo" ] && [[ $1 != -* ]]; then demo=$1; else rest+=("$1"); fi ;;
    esac
    shift
  done
  [ -z "$demo" ] || need_demo "$name" "$demo"
  build "$preset" "lab${number}_demo"
  local program=$root/build/$preset/bin/lab${number}_demo
  if [ -z "$demo" ]; then
    list_demos "$program" "labs/$name"
    phrase "Run one: ./lab run {0} DEMO  (its options: ./lab run {0} DEMO --help)" "$number"
    return
  fi
  find_speaker
  if [ -n "$all" ]; then
    build default fiberscope-trace
    out=${out:-$root/build/traces/${number}_$demo$suffix}
    ${speaker[@]+"${speaker[@]}"} "$program" "$demo" --out "$out" "${rest[@]}" || return
    "$bin/fiberscope-trace" figures "$out/$demo"_*.json
    return
  fi
  out=${out:-$root/build/traces/${number}_$demo$suffix.json}
  local call=(${speaker[@]+"${speaker[@]}"} "$program" "$demo" --out "$out" ${rest[@]+"${rest[@]}"})
  [ -n "$is_student" ] || exec "${call[@]}"
  "${call[@]}" || { name_sample "$number" "$demo" $? "$out"; return; }
  [ ${#rest[@]} != 0 ] || compare_with_sample "$number" "$demo" "$out"
}

# name_sample NN DEMO STATUS TRACE: what to watch until the files are written that a demo needs: what was recorded until
# it came to one that is not, if a coroutine was made by then, and the sample. Returns the status.
name_sample() {
  local sample=traces/samples/$1_$2.json
  [ "$3" = 77 ] || return "$3"
  if grep -q '"backend"' "$4" 2>/dev/null; then
    phrase "lab: what your files did until then: ./lab view {0}" "${4#"$root"/}" >&2
  else
    rm -f "$4"
  fi
  [ ! -f "$root/$sample" ] ||
    phrase "lab: what it should look like, as the reference has recorded it: ./lab view {0}" "$sample" >&2
  return "$3"
}

# Without options a demo repeats to the byte: a student's recording can be held against that of the reference.
compare_with_sample() {
  local sample=$root/traces/samples/$1_$2.json
  [ -f "$sample" ] || return 0
  build default fiberscope-trace
  if "$bin/fiberscope-trace" compare "$sample" "$3" >/dev/null; then
    phrase "Your recordings are the same as the reference's: {0}" "$2" >&2
  else
    phrase "Your recording of {0} differs from the reference's, and both may be right: {1}" \
      "$2" "./lab trace compare ${sample#"$root"/} ${3#"$root"/}" >&2
  fi
}

# tool NN ARGUMENTS…: the programs of a lab that record nothing.
tool() {
  local name number
  name=$(lab_name "${1:-}")
  number=${name:0:2}
  shift
  [ -f "$root/labs/$name/programs/tools.cpp" ] || die "lab: lab {0} has no tools" "$number"
  build default "lab${number}_tools"
  find_speaker
  exec ${speaker[@]+"${speaker[@]}"} "$bin/lab${number}_tools" "$@"
}

# BENCHMARK_PRESET=default: by what is built for the tests anyway. Such figures mean nothing; that it works is seen too.
bench() {
  local number numbers preset=${BENCHMARK_PRESET:-release}
  [ "${1:-}" != web ] || exec "$root/viewer/web/tests/check.py" --bars
  if [[ ${1:-} =~ ^[0-9] ]]; then
    numbers=$(lab_name "$1") && numbers=${numbers:0:2}
    shift
  else
    numbers=$(lab_numbers)
  fi
  build "$preset" $(sed 's/.*/lab&_bench/' <<<"$numbers")
  for number in $numbers; do "$root/build/$preset/bin/lab${number}_bench" "$@"; done
}
