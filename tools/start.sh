# shellcheck shell=bash disable=SC2154
# ./lab start: a student's own tree. Sourced by `lab`, whose root, bin, build and phrase it uses.

# start DIR [--from NN]
start() {
  local dir commit
  command -v git >/dev/null || install_packages "$(phrase "for the history of your tree")" git
  "$root/tools/handout.sh" --with-history "$@"
  dir=$(directory_among "$@")
  git -C "$dir" config fiberscope.whole "$root" # on this computer only: for tools/plan.py
  [ ! -e "$root/.git" ] || ! commit=$(git -C "$root" rev-parse -q --verify HEAD 2>/dev/null) ||
    git -C "$dir" config fiberscope.commit "$commit"
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
