# shellcheck shell=bash disable=SC2154
# What of a lab is written, by the stubs that stand in exercise/: so nothing is built to say that a step is not. Sourced
# by `lab`, whose root, lab_name, is_student and check's words they use.

own_git() { git --git-dir="$root/.git" --work-tree="$root" "$@" 2>/dev/null; }

# The commit whose exercise/ is as it was given: a student's first, and the last of the whole tree.
commit_as_given() {
  if [ -n "$is_student" ]; then own_git rev-list --max-parents=0 HEAD | tail -n 1
  else own_git rev-parse HEAD
  fi
}

# files_of_lab NAME: what a student edits there, for this processor, as paths below the root.
files_of_lab() {
  local arch
  arch=$(uname -m)
  (cd "$root" && ls labs/"$1"/exercise/*.cpp labs/"$1"/exercise/*_"$arch".S 2>/dev/null)
}

# mandatory_steps NAME: the steps without which the lab is not solved, a line each.
mandatory_steps() {
  awk 'BEGIN { RS = "\"step\": \"" }
    NR > 1 && !/"(challenge|optional)": true/ { print substr($0, 1, index($0, "\"") - 1) }' "$root/labs/$1/steps.json"
}

# count_stubs NAME: "STEP GIVEN LEFT" for each step: with how many stubs it was given, and how many of them stand as
# they were. Where git does not know what was given, what stands there counts as given. A file that is not changed is
# read once.
count_stubs() {
  local commit file changed=""
  commit=$(commit_as_given) || commit=""
  [ -z "$commit" ] || changed=$(own_git diff --name-only "$commit" -- "labs/$1/exercise")
  for file in $(files_of_lab "$1"); do
    if grep -qxF "$file" <<<"$changed"; then
      own_git show "$commit:$file" | awk -f "$root/tools/stubs.awk" | sed 's/^/given /'
      awk -f "$root/tools/stubs.awk" "$root/$file" | sed 's/^/left /'
    else
      awk -f "$root/tools/stubs.awk" "$root/$file" | sed 's/^/both /'
    fi
  done | awk '
    { kind = $1; step = $2; $1 = ""; stub = $0 }
    kind != "left" { given[step]++; was[stub] = 1 }
    kind != "given" && stub in was { left[step]++ }
    END { for (step in given) print step, given[step], left[step] + 0 }' | sort -V
}

# first_missing_below NAME: the first step of another lab that this lab cannot do without and that is not written.
first_missing_below() {
  local step below counts="" known=""
  for step in $(sed -nE 's/.*"needs": \[([^]]*)\].*/\1/p' "$root/labs/$1/steps.json" | tr -d '",'); do
    below=$(lab_name "${step%%.*}")
    [ "$below" = "$known" ] || counts=$(count_stubs "$below") known=$below
    ! grep -qE "^${step//./\\.} [0-9]+ [1-9]" <<<"$counts" || { echo "$step"; return; }
  done
}

# refuse_without_below NAME: ends with status 1 if a lab below is not written, and names what to type.
refuse_without_below() {
  local missing below
  missing=$(first_missing_below "$1")
  [ -n "$missing" ] || return 0
  below=$(lab_name "${missing%%.*}")
  phrase "Lab {0} stands on lab {1}, which is not solved: its step {2} is still to do." \
    "${1:0:2}" "${below:0:2}" "$missing"
  if can_be_given; then
    phrase "To begin with lab {0} now, with the labs below it solved for you, type: ./lab start --from {0}" "${1:0:2}"
  else
    phrase "Do that first; type: ./lab check {0}" "${below:0:2}"
  fi
  exit 1
}

# tell_unwritten NAME [STEP]: if nothing is written of the step, or of the whole lab where none is named, says so, and
# ends with status 1. What was found out about the lab before is true no longer.
tell_unwritten() {
  local counts untouched step=${2:-} until
  counts=$(count_stubs "$1")
  untouched=$(awk '$2 == $3 { print $1 }' <<<"$counts")
  [ -n "$untouched" ] || return 0
  if [ -n "$step" ]; then
    grep -qxF "$step" <<<"$untouched" || return 0
    untouched=$(sed "/^${step//./\\.}\$/q" <<<"$untouched") # what comes later is not asked about
  else
    [ "$(wc -l <<<"$untouched")" = "$(grep -c '"step": ' "$root/labs/$1/steps.json")" ] || return 0
    rm -f "$root/build/check_${1:0:2}.json"
  fi
  ask_json -DASK=unwritten -DLAB="$root/labs/$1" -DSTEP="$step" -DSTEPS="${untouched//$'\n'/;}" -DARCH="$(uname -m)"
  exit 1
}

names_step() { [[ $1 =~ ^[0-9]+\.[0-9]+$ ]]; }
