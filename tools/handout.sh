#!/usr/bin/env bash
# Writes the tree for students: everything that is in the last commit but solutions, mutants and what quotes them. Of a
# tree without a history (a ZIP download) it is everything that is in the tree.
#   handout.sh DIR [--from NN | --solved-through NN] [--with-history]
#   handout.sh DIR --autograder NN    the grader of lab NN for Gradescope instead: setup.sh, run_autograder and the tree
# DIR must not exist yet, or be empty. The labs below --from, or up to --solved-through, are solved: their reference
# stands in exercise/. The same commit gives the same bytes. Nothing is written if a line of a solution would be in it
# that is not in the exercise too.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/say.sh
. "$root/tools/say.sh"
usage="./lab handout DIR [--from NN] [--autograder NN]"

dir="" from="" through=0 history="" autograder=""
while [ $# -gt 0 ]; do
  case $1 in
    --from | --solved-through | --autograder)
      [[ ${2:-} =~ ^[0-9]{1,2}$ ]] || die "lab: {0} needs a lab's number, as in: {0} {1}" "$1" 04
      case $1 in
        --from) from=$(printf %02d $((10#$2))) ;;
        --solved-through) through=$((10#$2)) ;;
        *) autograder=$(printf %02d $((10#$2))) ;;
      esac
      shift
      ;;
    --with-history) history=yes usage="./lab start DIR [--from NN]" ;; # ./lab start says so first
    --*) die "lab: there is no option {0}; as in: {1}" "$1" "$usage" ;;
    *) [ -z "$dir" ] || die "lab: one directory only, not {0} and {1}" "$dir" "$1"; dir=$1 ;;
  esac
  shift
done
[ -n "$dir" ] || die "lab: where to? As in: {0}" "$usage"
for number in "$from" "$through" "$autograder"; do
  [ -z "${number#0}" ] || compgen -G "$root/labs/$(printf %02d "$((10#$number))")_*" >/dev/null ||
    die "lab: there is no lab {0}; there are: {1}" "$number" \
      "$(cd "$root/labs" && echo [0-9][0-9]_*/ | sed 's/_[^ ]*//g')"
done
[ -z "$from" ] || through=$((10#$from - 1))
[ ! -e "$dir" ] || [ -z "$(ls -A "$dir")" ] || die "lab: {0} is there already, and not empty" "$dir"
ls -d "$root"/labs/*/solution >/dev/null 2>&1 || die "lab: this is a student's tree: it has no solutions to leave out"

# write_all DIR: the whole tree as it was committed last. Without a history all files count but those of builds and of
# trees with a history of their own (./lab start), which may be in it.
write_all() {
  mkdir -p "$1"
  if [ -e "$root/.git" ] && git -C "$root" rev-parse -q --verify HEAD >/dev/null 2>&1; then
    git -C "$root" archive HEAD | tar -x -C "$1"
    return
  fi
  (cd "$root" && find . \( -path ./build -o -path ./.cache -o -name __pycache__ \) -prune -o -type d ! -path . \
    -exec test -e '{}/.git' \; -prune -o ! -type d ! -name '*.kept-*' ! -name compile_commands.json -print0 |
    tar -c --null -T -) | tar -x -C "$1"
}

# Gradescope copies the folder to /autograder/source, runs setup.sh once, and run_autograder for each submission.
if [ -n "$autograder" ]; then
  write_all "$dir/fiberscope"
  for file in setup.sh run_autograder; do
    sed "s/@LAB@/$autograder/g" "$root/extras/grading/autograder/$file" >"$dir/$file"
    chmod 755 "$dir/$file"
  done
  phrase "Zip what is in {0}, not the folder itself, and upload it as the autograder: (cd {0} && zip -qr \
../lab.zip .)" "$dir"
  exit 0
fi

# Left out: the solutions, the mutants, which quote them, and what is for engineers and teachers. The sandbox of
# ./lab grade (extras/grading/ground.py) leaves out the same.
left_out=$root/tools/handout_left_out.txt

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tree" "$work/solved"
write_all "$work/all"
(cd "$work/all" && find . -type f -printf '%P\n' | LC_ALL=C sort | grep -vE -f "$left_out" >"$work/files")
# A solved lab needs no starter: its reference takes that place.
tar -c -C "$work/all" -T "$work/files" | tar -x -C "$work/tree"
for lab in "$work"/all/labs/[0-9][0-9]_*/; do
  lab=$(basename "$lab")
  [ "$((10#${lab:0:2}))" -le "$through" ] || continue
  for file in "$work/tree/labs/$lab/exercise"/*; do cp -p "$work/all/labs/$lab/solution/${file##*/}" "$file"; done
  cp -r "$work/tree/labs/$lab/exercise" "$work/solved/$lab"
done

# The pages at the top: what is for the whole tree only goes, and what is for this tree comes out of its comment.
for page in "$work"/tree/README*.md; do
  awk '/^<!-- whole tree -->$/ { gone = 1 } /^<!-- student.s tree$/ || (shown && /^-->$/) { shown = !shown; next }
    !gone { print } /^<!-- \/whole tree -->$/ { gone = 0 }' "$page" | cat -s >"$work/page"
  cat "$work/page" >"$page"
done

# Of these labs ./lab progress says that they came solved.
[ "$through" -eq 0 ] || echo "$through" >"$work/tree/labs/solved_through"

# leaks LAB…: "FILE:LINE: text" for each line of these labs' solutions that stands in the tree and not in the exercise.
# Lines of code that say something: no comment, no brace alone, no include, no `using namespace`; blanks do not matter.
# handout_known.txt has the idioms that other code uses too and that give nothing away; so have the labs that
# are solved.
# shellcheck disable=SC2016
leaks() {
  local lab
  cd "$work"
  {
    echo all/tools/handout_known.txt
    for lab in "$@"; do
      find "all/labs/$lab/solution" "all/labs/$lab/exercise" -type f | LC_ALL=C sort -r # solution/ first
    done
    find solved -type f
    find tree -type f -not -path '*/traces/samples/*' -not -name '*.png' | LC_ALL=C sort
  } | LC_ALL=C xargs awk '
    { line = $0; sub(/(^|[ \t])(\/\/|#).*$/, "", line); gsub(/[ \t]+/, "", line) }
    FILENAME ~ /handout_known.txt$/ { known[line] = 1; next }
    length(line) < 24 || line in known || line ~ /^usingnamespace/ { next }
    FILENAME ~ /^all\/.*\/solution\// { secret[line] = 1; next }
    FILENAME ~ /^(all|solved)\// { delete secret[line]; next }
    line in secret { print substr(FILENAME, 6) ":" FNR ": " $0 }'
}

starters=()
for lab in "$work"/all/labs/[0-9][0-9]_*; do
  lab=$(basename "$lab")
  [ "$((10#${lab:0:2}))" -le "$through" ] || starters+=("$lab")
done
found=$([ ${#starters[@]} = 0 ] || leaks "${starters[@]}")
if [ -n "$found" ]; then
  echo "$found" | head -n 20 >&2
  die "lab: nothing was written: these lines are of a solution and not of the exercise"
fi
mkdir -p "$dir"
cp -a "$work/tree/." "$dir"
[ -z "$history" ] || {
  git -C "$dir" init -q -b main
  git -C "$dir" add -A
  git -C "$dir" -c user.name="${USER:-student}" -c user.email=student@localhost commit -q -m "Start the labs"
}
