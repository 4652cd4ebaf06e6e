# shellcheck shell=bash disable=SC2154
# Building and installing. Sourced by `lab`.

# build PRESET PROGRAM…: builds programs of fiberscope from the sources. A student's tree uses those in `kit`, which the
# package contains, or which the sources install in build/ on first use. If help is requested, nothing is built: if the
# program does not exist, prints the usage lines of the verb.
build() {
  local preset=$1 program
  shift
  if [ -n "$asks" ]; then
    are_built "$@" && return
    usage_of "$verb"
    exit
  fi
  if [ "$root" = "$home" ]; then
    build_here "$home/build/$preset" "$preset" "$@"
    return
  fi
  for program in "$@"; do
    [ ! -x "$kit/bin/$program" ] || continue
    [ -z "$is_installed" ] || die "lab: {0} is not installed" "$program"
    phrase "lab: building {0} (once on this computer)" "$program" >&2
    build_here "$home/build/default" default "$program"
    install_component "$program"
  done
}

are_built() {
  local program
  for program in "$@"; do [ -x "$bin/$program" ] || return; done
}

# build_here DIR PRESET TARGET…: configures the sources once and builds; the output goes to a log unless stderr is a
# terminal.
build_here() {
  local dir=$1 preset=$2 log=$home/build/logs/build-$2.log
  shift 2
  mkdir -p "$home/build/logs"
  if [ ! -f "$dir/build.ninja" ]; then
    install_for_build
    phrase "lab: configuring the build '{0}'" "$preset" >&2
    (cd "$home" && cmake --preset "$preset") >"$log" 2>&1 ||
      { tail -n 30 "$log" >&2; die "lab: cmake failed; full output: {0}" "$log"; }
  fi
  if [ -t 2 ]; then
    NINJA_STATUS="[%f/%t] " cmake --build "$dir" --target "$@" >&2 || die "lab: the build failed"
  else
    build_quietly "$dir" "$log" "$@" || { tail -n 40 "$log" >&2; die "lab: the build failed; full output: {0}" "$log"; }
  fi
}

# build_quietly DIR LOG TARGET…: the output goes to the log; progress is printed every ten seconds.
build_quietly() {
  local dir=$1 log=$2 ninja waited=0 done_now done_before=""
  shift 2
  cmake --build "$dir" --target "$@" >"$log" 2>&1 </dev/null &
  ninja=$!
  while kill -0 $ninja 2>/dev/null; do
    sleep 0.1
    waited=$((waited + 1))
    [ $((waited % 100)) = 0 ] || continue
    done_now=$(grep -aoE '^\[[0-9]+/[0-9]+\]' "$log" | tail -n 1)
    [ "$done_now" = "$done_before" ] || phrase "lab: building, {0}" "$done_now" >&2
    done_before=$done_now
  done
  wait $ninja
}

# install_component NAME [BUILD KIT]
install_component() {
  local log=$home/build/logs/install-$1.log
  cmake --install "${2:-$home/build/default}" --prefix "${3:-$home/build/kit}" --component "$1" >"$log" 2>&1 ||
    die "lab: installing below build/ failed; full output: {0}" "$log"
}

# need_kit: provides the files that a student's programs are linked with. A package contains them; the sources build
# them once for all students' trees, again after a new commit, and update them for `./lab check` in the sources.
need_kit() {
  local commit
  [ -z "$is_installed" ] || return 0
  commit=$(commit_of_home)
  if [ "$commit" = "$(cat "$kit/ready" 2>/dev/null)" ]; then
    [ -z "$is_student" ] || return 0
  else
    phrase "lab: building the tests, the given code and the reference (once for each version; some minutes)" >&2
    rm -rf "${kit%/lib/fiberscope}" # may contain objects of files that no longer exist
  fi
  if [ -z "$variant" ]; then
    build_here "$home/build/default" default install_labs
    install_component labs
  else
    build_variant
  fi
  echo "$commit" >"$kit/ready"
}

# commit_of_home: the last commit of the sources; "none" for a tree without a history.
commit_of_home() { { [ -e "$home/.git" ] && git -C "$home" rev-parse -q --verify HEAD 2>/dev/null; } || echo none; }

# build_variant: compiles the kit for a sanitizer or for benchmarks, in separate directories.
build_variant() {
  local dir=$home/build/default-$variant preset=default log=$home/build/logs/build-$variant.log options=() component
  if [ "$variant" = optimized ]; then
    options=("-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=$optimized")
  else
    # shellcheck disable=SC2086
    install_packages "$(phrase "to compile with a sanitizer")" $packages_test_clang || exit 1
    preset=$variant options=(-DFIBERSCOPE_TOGETHER=8 -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++)
  fi
  [ -f "$dir/build.ninja" ] || (cd "$home" && cmake --preset $preset -B "$dir" "${options[@]}") >"$log" 2>&1 ||
    die "lab: cmake failed; full output: {0}" "$log"
  for component in labs $([ "$variant" != optimized ] || echo bench); do
    build_here "$dir" "$variant" "install_$component"
    install_component "$component" "$dir" "${kit%/lib/fiberscope}"
  done
}

# use_variant asan|tsan|optimized: sets `kit` and `mine` to this variant. A package has no variants.
optimized="-O2 -g1 -DNDEBUG"
use_variant() { variant=$1 kit=$home/build/kit-$1/lib/fiberscope mine=$root/build/mine-$1; }

# configure_mine: configures build/mine, where the student's files are compiled and linked with the kit.
configure_mine() {
  local log=$root/build/logs/configure.log flags options=()
  need_kit
  [ -f "$mine/CMakeCache.txt" ] && return
  mkdir -p "$root/build/logs"
  install_for_labs
  ! command -v ninja >/dev/null || options+=(-GNinja)
  case $variant in
    optimized) options+=("-DFIBERSCOPE_OWN_OPTIONS=-O2;-g1") ;;
    asan | tsan)
      options+=(-DCMAKE_CXX_COMPILER=clang++)
      flags=$(sed -n 's/^CMAKE_CXX_FLAGS:[A-Z]*=//p' "$home/build/default-$variant/CMakeCache.txt")
      options+=("-DCMAKE_CXX_FLAGS=$flags")
      ;;
  esac
  cmake -S "$template" -B "$mine" -DFIBERSCOPE_TREE="$root" -DCMAKE_PREFIX_PATH="${kit%/lib/fiberscope}" \
    ${options[@]+"${options[@]}"} >"$log" 2>&1 ||
    { tail -n 30 "$log" >&2; die "lab: cmake failed; full output: {0}" "$log"; }
}

# build_mine PROGRAM…: builds programs of the student's files.
build_mine() {
  local log=$root/build/logs/build-mine.log
  if [ -n "$asks" ]; then
    build default "$@"
    return
  fi
  steps own
  configure_mine
  build_quietly "$mine" "$log" "$@" || { tail -n 40 "$log" >&2; die "lab: the build failed; full output: {0}" "$log"; }
}

# labs_below NN: the numbers of the labs that lab NN depends on, the lowest first.
labs_below() {
  local lab
  for lab in $(sed -nE 's/^set\(lab.._below "(.*)"\)/\1/p' "$kit/labs/$1"_*/lab.cmake | tr ';' ' '); do
    labs_below "${lab#lab}"
    echo "${lab#lab}"
  done | sort -u
}

# is_own LAB: whether programs of other labs link the student's files of this lab.
is_own() { sed -n '/fiberscope_complete/,/)/p' "$root/build/own.cmake" | grep -q "labs/$1/"; }
