# shellcheck shell=bash disable=SC2154
# The verbs of a student's tree: progress, hint, reset, watch, and the step that is next. Sourced by `lab`, whose root
# and lab_name they use.

ask_json() {
  command -v cmake >/dev/null || install_packages "$(phrase "to read the lists of steps")" cmake
  cmake -DLANGUAGE=$language "$@" -P "$root/tools/json.cmake"
}
about_all_labs() { ask_json -DASK="$1" -DLABS="$root/labs" -DREPORTS="$root/build"; }

# progress: all labs: solved, now, next; by the last check of each.
progress() {
  [ "${1:-}" != --language ] || speak "${2:-}"
  about_all_labs progress
  [ -z "$is_student" ] ||
    [ -f "$root/labs/solved_through" ] || ! can_be_given || phrase "To begin with a later lab now, with the \
labs below it solved for you: ./lab start --from 04"
}

# next_lab: the number of the first lab that is not solved; the last one if all are.
next_lab() {
  local number
  number=$(about_all_labs next)
  echo "${number:-$(lab_numbers | tail -n 1)}"
}

# wrap: what comes in, in lines of at most 100 columns, broken at blanks and behind Chinese punctuation. (fold counts
# bytes, and cuts characters in two.)
wrap() {
  local LC_ALL=C.UTF-8 line c i width begin cut
  while IFS= read -r line || [ -n "$line" ]; do
    width=0 begin=0 cut=0
    for ((i = 0; i < ${#line}; i++)); do
      c=${line:i:1}
      case $c in [[:ascii:]]) ((width += 1)) ;; *) ((width += 2)) ;; esac
      if ((width > 100)); then
        ((cut > begin)) || cut=$i
        c=${line:begin:cut-begin}
        echo "${c% }"
        begin=$cut i=$((cut - 1)) width=0
        continue
      fi
      case $c in ' ' | '，' | '。' | '；' | '：' | '、' | '？' | '！') cut=$((i + 1)) ;; esac
    done
    echo "${line:begin}"
  done
}

# hint N.M [LEVEL] [--language en|zh]: the next of three hints to a step, from a question to nearly the answer.
hint() {
  local words=() step level name file seen
  while [ $# -gt 0 ]; do
    case $1 in
      --language) speak "${2:-}"; shift ;;
      *) words+=("$1") ;;
    esac
    shift
  done
  step=${words[0]:-} level=${words[1]:-}
  [[ $step =~ ^[1-9]\.[0-9]+$ ]] || die "lab: which step? As in: ./lab hint 1.3"
  name=$(lab_name "${step%%.*}")
  file=$root/labs/$name/hints.json
  [ -f "$file" ] || die "lab: lab {0} has no hints" "${name:0:2}"
  seen=$root/build/hints/$step
  mkdir -p "$root/build/hints"
  [ -n "$level" ] || level=$(($(cat "$seen" 2>/dev/null || echo 0) + 1))
  [[ $level =~ ^[0-9]+$ ]] || die "lab: a hint's level is 1, 2 or 3, not \"{0}\"" "$level"
  [ "$level" -le 3 ] || level=3
  ask_json -DASK=hint -DFILE="$file" -DSTEP="$step" -DLEVEL="$level" 2>/dev/null | in_words "labs/$name" |
    wrap || die "lab: lab {0} has no step {1}" "${name:0:2}" "$step"
  [ "$level" = 3 ] || phrase "(hint {0} of 3; ./lab hint {1} shows the next)" "$level" "$step"
  echo "$level" >"$seen"
}

# Without the copies that reset keeps.
files_of_exercise() { (cd "$root/labs/$1/exercise" && ls) | grep -v '\.kept-' | tr '\n' ' ' | sed 's/ $//'; }

kept_name() { echo "$1.kept-$(date +%Y%m%d-%H%M%S)"; }

# reset NN FILE: the stub back in exercise/; the old file is kept beside it.
reset() {
  local name file path kept first
  name=$(lab_name "${1:-}")
  file=$(basename "${2:-}")
  [ -n "$file" ] || die "lab: which file? As in: ./lab reset {0} context.cpp" "${name:0:2}"
  path=labs/$name/exercise/$file
  [ -f "$root/$path" ] || die "lab: {0} does not exist; there are: {1}" "$path" "$(files_of_exercise "$name")"
  first=$(git -C "$root" log --diff-filter=A --format=%H --reverse -- "$path" 2>/dev/null | head -n 1)
  [ -n "$first" ] || die "lab: git does not know the first version of {0} here" "$path"
  kept=$(kept_name "$root/$path")
  cp -p "$root/$path" "$kept"
  git -C "$root" show "$first:$path" >"$root/$path"
  phrase "{0} is as it was at the beginning; your version is in {1}" "$path" "${kept#"$root"/}"
}

# What changes when a student saves a file; times are asked for, so that it works on network file systems too.
saved() { stat -c '%n %Y %s' "$root"/labs/"$1"/exercise/* 2>/dev/null; }

# watch [NN]: checks again at every save, until Ctrl-C.
watch() {
  local name before now
  name=$(lab_name "${1:-$(next_lab)}")
  before=""
  while true; do
    now=$(saved "$name")
    if [ "$now" != "$before" ]; then
      before=$now
      [ ! -t 1 ] || printf '\033[H\033[2J'
      (check "${name:0:2}") || true
      phrase "lab: waiting for the next save in labs/{0}/exercise/ (Ctrl-C ends it)" "$name"
    fi
    sleep 0.5
  done
}
