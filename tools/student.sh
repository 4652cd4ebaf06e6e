# shellcheck shell=bash disable=SC2154
# The verbs of a student's tree that build nothing: progress, hint, reset; and check --watch. Sourced by `lab`, whose
# root, language and lab_name they use.

# steps VERB …: tools/steps.py.
steps() {
  has_python || install_packages "$(phrase "to read the lists of steps")" python3
  need_template
  (python_program "$home/tools/steps.py" "$root" "$template" "$home" "$language" "$@")
}

# tell VERB [WORD…] [--language en|zh]
tell() {
  local words=()
  while [ $# -gt 0 ]; do
    if [ "$1" = --language ]; then speak "${2:-}"; shift; else words+=("$1"); fi
    shift
  done
  steps "${words[@]}"
}

# Prints a state that changes when a student saves a file: modification times, which work on network file systems.
saved() { find "$root/labs/$1" -path '*/exercise/*' -printf '%p %T@ %s\n'; }

# watch [NN [STEP]]: checks again at every save, until Ctrl-C.
watch() {
  local name before now what=("$@")
  [ $# -gt 0 ] || what=("$(steps next)")
  name=$(lab_name "${what[0]%%.*}")
  before=""
  while true; do
    now=$(saved "$name")
    if [ "$now" != "$before" ]; then
      before=$now
      [ ! -t 1 ] || printf '\033[H\033[2J'
      (check "${what[@]}") || true
      phrase "lab: waiting for the next save in labs/{0}/exercise/ (Ctrl-C ends it)" "$name"
    fi
    sleep 0.5
  done
}
