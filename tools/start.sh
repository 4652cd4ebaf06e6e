# shellcheck shell=bash disable=SC2154
# ./lab start: a student's own tree; and in that tree, a later lab to begin with. Sourced by `lab`, whose root, bin,
# build, die and lab_name they use, and written.sh's own_git.

# start DIR [--from NN]
start() {
  local dir
  "$root/tools/handout.sh" --with-history "$@"
  [ -z "$asks" ] || return 0
  dir=$(directory_among "$@")
  git -C "$dir" config fiberscope.whole "$root" # on this computer only: for begin_at
  git -C "$dir" config fiberscope.commit "$(git -C "$root" rev-parse HEAD)"
  leave_reference "$dir"
  phrase "Your tree is {0}. Go there and type ./lab" "$dir"
}

directory_among() {
  while [ $# -gt 0 ]; do
    case $1 in
      --*) shift ;; # with its value
      *) echo "$1" ;;
    esac
    shift
  done
}

# leave_reference DIR: a stand-in for the student's labs, on which ./lab check runs a failed test of a later lab: lab 01
# as it is with Boost.Context's switch, the others as the reference's libraries, without sources and names of lines.
leave_reference() {
  local lab
  [ -f "$root/build/default/build.ninja" ] && [ "$(uname -m)" = x86_64 ] || return 0
  [ -f "$root/build/default/labs/01_switch_asm/liblab01_boost.a" ] ||
    phrase "lab: compiling what your tree gets beside its files: reference libraries, on which a failed test of \
a later lab is tried (once; some minutes)" >&2
  build default lab01_boost lab02 lab03 lab04 lab05
  mkdir -p "$1/build/reference"
  for lab in lab01_boost lab02 lab03 lab04 lab05; do
    strip --strip-unneeded -o "$1/build/reference/lib${lab%_boost}.a" "$root"/build/default/labs/*/lib$lab.a
  done
}

# can_be_given: whether the labs below a later one can be given here: the tree that this one was made of is at hand.
can_be_given() {
  local whole commit
  whole=$(own_git config fiberscope.whole) && commit=$(own_git config fiberscope.commit) &&
    git -C "$whole" cat-file -e "$commit^{commit}" 2>/dev/null
}

# begin_at --from NN: in a student's tree. Each file of a lab below NN in which a stub stands becomes that of the
# reference; what the student has changed in it is kept beside it.
begin_at() {
  local number name whole commit
  [ "${1:-}" = --from ] && [ $# = 2 ] ||
    die "lab: in a student's tree ./lab start takes the lab to begin with, as in: ./lab start --from 04"
  name=$(lab_name "$2") && number=${name:0:2}
  can_be_given ||
    die "lab: what is given comes from the tree that this one was made in, which is not known or not there any \
more; fetch fiberscope and type there: ./lab start DIR --from {0}" "$number"
  whole=$(own_git config fiberscope.whole) commit=$(own_git config fiberscope.commit)
  [ "$((10#$number))" -le "$(($(cat "$root/labs/solved_through" 2>/dev/null || echo 0) + 1))" ] ||
    echo $((10#$number - 1)) >"$root/labs/solved_through"
  for name in $(cd "$root/labs" && ls -d [0-9][0-9]_*); do
    [[ $name < $number ]] && give_files "$name" || break
  done
  phrase "What was not written of the labs below lab {0} is now the reference's; what you had changed there is \
kept beside it. Type ./lab check {0}" "$number"
}

# give_files NAME: what is given is not newer than labs/solved_through, and what is the student's own is: so ./lab check
# tells them apart.
give_files() {
  local path file changed mandatory
  mandatory=$(mandatory_steps "$1")
  for path in "$root/labs/$1"/exercise/*.{cpp,S}; do
    file=labs/$1/exercise/${path##*/}
    [ -f "$path" ] || continue
    own_git diff --quiet "$(commit_as_given)" -- "$file" && changed="" || changed=yes
    if ! awk -f "$root/tools/stubs.awk" "$path" | cut -d' ' -f1 | grep -qxF "$mandatory"; then
      [ -z "$changed" ] || touch "$path"
      continue
    fi
    [ -z "$changed" ] || cp -p "$path" "$(kept_name "$path")"
    git -C "$whole" show "$commit:labs/$1/solution/${path##*/}" >"$path"
    touch -r "$root/labs/solved_through" "$path"
    rm -f "$root/build/check_${1:0:2}.json"
  done
}
