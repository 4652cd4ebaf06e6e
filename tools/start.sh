# shellcheck shell=bash disable=SC2154
# The verb start: a student's tree, or that of a class. Sourced by `lab`, whose home, template and is_installed it uses.

# need_template: the tree for students, from the last commit of the sources, or as installed at the first call.
need_template() {
  local commit
  [ -z "$is_installed" ] || return 0
  commit=$(commit_of_home)
  [ "$commit" != "$(cat "$template.commit" 2>/dev/null)" ] || return 0
  mkdir -p "$home/build"
  has_python || install_packages "$(phrase "to write the tree")" python3
  (python_program "$home/tools/student_tree.py" "$home" "$template") || exit
  echo "$commit" >"$template.commit"
}

# write_tree DIR [FROM]: DIR must be missing or empty. The labs below FROM count as solved.
write_tree() {
  [ -n "$1" ] || die "lab: missing DIR (usage: {0})" "./lab $verb DIR [--from NN]"
  [ ! -e "$1" ] || [ -z "$(ls -A "$1")" ] || die "lab: {0} already exists and is not empty" "$1"
  need_template
  mkdir -p "$1"
  cp -r "$template/." "$1"
  [ -z "${2:-}" ] || echo $((10#$2 - 1)) >"$1/labs/solved_through"
}

# read_start_options ARGUMENT…: sets dir, from, with_kit and class.
read_start_options() {
  dir="" from="" with_kit="" class=""
  while [ $# -gt 0 ]; do
    case $1 in
      --from)
        [[ ${2:-} =~ ^[0-9]{1,2}$ ]] || die "lab: {0} needs the number of a lab (usage: {0} {1})" "$1" 04
        lab_name "$2" >/dev/null
        from=$2
        shift
        ;;
      --with-kit) with_kit=yes ;;
      --class) class=yes ;;
      --*) die "lab: unknown option {0} (usage: {1})" "$1" "./lab $verb DIR [--from NN]" ;;
      *) [ -z "$dir" ] || die "lab: expected one directory, not {0} and {1}" "$dir" "$1"; dir=$1 ;;
    esac
    shift
  done
}

# start DIR [--from NN]: creates a tree with its own history, which uses this fiberscope. With --class or
# --with-kit a tree for a class.
start() {
  local dir from with_kit class
  read_start_options "$@"
  [ -z "$with_kit$class" ] || { write_for_class; return; }
  command -v git >/dev/null || install_packages "$(phrase "for the history of your tree")" git
  write_tree "$dir" "$from"
  git -C "$dir" init -q -b main
  git -C "$dir" config fiberscope.lab "$home/lab"
  git -C "$dir" add -A
  git -C "$dir" -c user.name="${USER:-student}" -c user.email=student@localhost commit -q -m "Start the labs"
  phrase "Your tree is {0}. Go there and type ./lab" "$dir"
}

# write_for_class: the tree for a class, which uses an installed fiberscope. With --with-kit it contains one, for
# computers with a system like this one.
write_for_class() {
  write_tree "$dir" "$from"
  [ -z "$with_kit" ] || add_kit "$dir/fiberscope"
}

# add_kit DIR: installs this fiberscope there.
add_kit() {
  need_kit
  build default fiberscope-viewer
  if [ -n "$is_installed" ]; then
    mkdir -p "$1/lib/cmake" && cp -r "$home" "$1/lib/"
    cp -r "${home%/lib/fiberscope}"/lib*/cmake/fiberscope "$1/lib/cmake/"
    rm -f "$1"/lib/cmake/fiberscope/fiberscopeRecord*.cmake # without the recorder
  else
    cmake --install "$home/build/default" --prefix "$1" --component labs >/dev/null
    cmake --install "$home/build/default" --prefix "$1" --component fiberscope-viewer >/dev/null
    cp -r "$template" "$1/lib/fiberscope/student"
  fi
}
