# shellcheck shell=bash disable=SC2046,SC2034,SC2154
# What the parts of `./lab test` compile: build_PART for each part that needs more than the default build. Sourced by
# all.sh, which calls them one after another in a background process of low priority, ahead of the parts that run: so
# the processors compile whenever a test waits. Only this process builds in build/default.

clang() { first_of clang-14 clang; }
clang_options() {
  local c
  c=$(clang) || leave_out "there is no clang here"
  echo "-DCMAKE_C_COMPILER=$c -DCMAKE_CXX_COMPILER=${c/clang/clang++}"
}

# configure_and_build PRESET DIR "CMAKE OPTIONS" TARGET…; without targets everything. The files of the reference, the
# exercise and the student's copy of the tree are mostly the same, so these builds share a cache; the others would only
# fill it.
configure_and_build() {
  local preset=$1 dir=$2 options=$3
  shift 3
  case $preset in
    default | exercise) use_cache ;;
    *) unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER ;;
  esac
  # shellcheck disable=SC2086  # a list of options
  cmake --preset "$preset" -B "$dir" $options
  cmake --build "$dir" ${@+--target "$@"}
}

use_cache() {
  command -v ccache >/dev/null || return 0
  export CMAKE_C_COMPILER_LAUNCHER=$PWD/cmake/cached.sh CMAKE_CXX_COMPILER_LAUNCHER=$PWD/cmake/cached.sh
  export CCACHE_DIR=${CCACHE_DIR:-$PWD/build/ccache} CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
  export CCACHE_SLOPPINESS=pch_defines,time_macros # what it needs to know of headers that are read once
}

# Temporary files lie in memory where there is room and programs may run: ext4 looks at every file that was deleted in
# the last minute before it makes a new one, and tests delete thousands. Sets `in_memory` to the folder, or to "".
use_memory_for_temporary_files() {
  local room
  in_memory=""
  [ -z "${TMPDIR:-}" ] || return 0
  room=$(df --output=avail -BG /dev/shm 2>/dev/null | tail -n 1 | tr -dc 0-9)
  [ "${room:-0}" -ge 8 ] && in_memory=$(mktemp -d /dev/shm/fiberscope-XXXXXX) || return 0
  if cp /bin/true "$in_memory/true" && "$in_memory/true"; then
    chmod 1777 "$in_memory" # as /tmp: the grader runs submissions as other users
    export TMPDIR=$in_memory
  else
    rm -rf "$in_memory"
    in_memory=""
  fi
}

# in_default TARGET…: in the default build, which is configured once; without targets everything.
in_default() {
  [ -n "${default_configured:-}" ] || configure_default
  cmake --build build/default ${@+--target "$@"}
}
configure_default() {
  use_cache
  cmake --preset default -DFIBERSCOPE_WERROR=ON
  default_configured=yes
}

# read_only DIR PROGRAM…: compiles the own files of those programs that there are, without a result, for the warnings.
read_only() {
  local dir=$1
  shift
  ninja -C "$dir" -t commands | grep -E "CMakeFiles/($(tr ' ' '|' <<<"$*"))\.dir/[^ ]*\.o -c " |
    sed -E 's/ -MD -MT [^ ]+ -MF [^ ]+ -o [^ ]+ -c / -fsyntax-only /' |
    (cd "$dir" && xargs -d '\n' -P "$(nproc)" -I COMMAND sh -c COMMAND)
}

build_build() {
  in_default all grader
  [ -z "$long" ] || read_alone
}

# Each test file alone, for an include that it forgot.
read_alone() {
  configure_and_build default build/alone "-DFIBERSCOPE_WERROR=ON -DFIBERSCOPE_TOGETHER=1" testing_headers
  read_only build/alone '[a-z0-9_]*tests?' '[a-z0-9_]*test_objects'
}

# Objects that exist already, and the files of exercise/.
build_starters() { in_default $(lab_targets starter); }

build_steps() { build_starters && in_default $(lab_targets tests); }

build_explore() {
  in_default lab04_tests lab04_starter
  testing/student/mutants.py build/default 04_scheduler $(cut -d' ' -f1 extras/explore/tests/races.txt)
}

# What ./lab grade links submissions with.
build_grade() {
  local proof number proofs=""
  for proof in labs/*/programs/proof.cpp; do
    number=${proof:5:2}
    proofs="$proofs lab${number}_proof lab${number}_proof_reference"
  done
  configure_and_build exercise build/exercise -DFIBERSCOPE_WERROR=ON $(lab_targets tests) $proofs
}

build_debug() { in_default debug_target; }

# The sanitizers look at our code. Catch2's implementation is the default build's: clang would compile it in each build.
session_options() {
  in_default testing_session >&2
  echo "-DFIBERSCOPE_SESSION=$PWD/build/default/testing/libtesting_session.a"
}

# configure_asan TARGET…: AddressSanitizer and UndefinedBehaviorSanitizer, and counters that guide the fuzzer.
configure_asan() {
  local options
  options=$(clang_options)
  options+=" $(session_options)"
  configure_and_build asan build/asan "$options -DFIBERSCOPE_WERROR=ON -DFIBERSCOPE_FUZZ=ON" "$@"
}
build_fuzz() { configure_asan trace_fuzz; }

# By clang: so the whole tree is also seen by the second compiler, and its warnings are errors. The viewer is built for
# its tests.
build_asan() {
  configure_asan $(lab_targets tests) kit_tests recorder_tests trace_tests viewer_tests mutation_tests explore_tests
  read_only build/asan fiberscope-viewer make_viewer_traces $(lab_targets demo) lab05_tools lab05_redis lab05_limits \
    grader grader_tests broken_tests tree_tests schema_tests
}

build_tsan() {
  local options only_labs=$labs_with_threads
  options=$(clang_options)
  options+=" $(session_options)"
  configure_and_build tsan build/tsan "$options" $(lab_targets tests) kit_tests recorder_tests
}

# What differs there: the switches, the shared stack over them, and the registers in traces. With --long all of it.
aarch64_labs() { [ -n "$long" ] || echo "01|02|03"; }
aarch64_tests() { [ -z "$long" ] || echo "recorder_tests trace_tests"; }
build_aarch64() {
  local only_labs
  only_labs=$(aarch64_labs)
  first_of aarch64-linux-gnu-g++ >/dev/null || leave_out "there is no cross compiler for aarch64 here"
  first_of qemu-aarch64 >/dev/null || leave_out "there is no qemu-user here"
  configure_and_build aarch64 build/aarch64 "" $(lab_targets tests) $(aarch64_tests)
}

# Optimising across files takes long, so without --long it is done for one of them, and the others are those of the
# default build.
bench_programs() { echo $(lab_targets bench) recorder_bench trace_bench; }
build_bench() {
  local programs=lab01_bench
  if [ -n "$long" ]; then programs=$(bench_programs); else in_default $(bench_programs); fi
  # shellcheck disable=SC2086  # a list
  configure_and_build release build/release "" $programs
}
