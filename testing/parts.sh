# shellcheck shell=bash disable=SC2012,SC2046
# The parts of `./lab test`, each a function that fails with a status; 77 and a last line say why one is left out. What
# they need is built before (builds.sh). Sourced by all.sh.

emulator="qemu-aarch64 -L /usr/aarch64-linux-gnu"

# The labs of several machines: ThreadSanitizer is for these, the kit's machines and the recorder.
labs_with_threads="04|05|06"

# The labs; a part that sets only_labs ("01|02") is about these.
labs() { (cd labs && ls -d [0-9][0-9]_*/ | tr -d / | grep -E "^(${only_labs:-..})_"); }
first_of() { local c; for c in "$@"; do command -v "$c" && return; done; return 1; }
leave_out() { echo "$*" >&2; exit 77; }

# run_ctest DIR [ctest options]: says how many passed in one line.
run_ctest() {
  local dir=$1 out status
  shift
  out=$(mktemp)
  ctest --test-dir "$dir" --output-on-failure --no-tests=error --timeout 600 -j "$(nproc)" "$@" 2>&1 |
    tee "$out" && status=0 || status=1
  sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests? failed out of ([0-9]+)$/\1 \2/p' "$out" |
    awk '{ print "ctest: " $2 - $1 " passed, " $1 " failed" }'
  rm -f "$out"
  return $status
}

# grade MODE BUILD-DIR [options]: every lab, by the grader of the default build. Many tests wait, so as many labs at a
# time as there are processors, the longest first.
grade() {
  local mode=$1 dir=$2 lab out status=0
  shift 2
  out=$(mktemp -d)
  for lab in $(longest_first); do
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
    { build/default/bin/grader "$mode" --lab "labs/$lab" --program "$dir/bin/lab${lab:0:2}_tests" \
      --traces "$dir/traces" --json "$dir/report_${lab:0:2}_$mode.json" "$@" || touch "$out/failed"; } \
      >"$out/$lab" 2>&1 &
  done
  wait
  cat "$out"/[0-9]*
  [ ! -e "$out/failed" ] || status=1
  rm -rf "$out"
  return $status
}
longest_first() {
  local lab
  for lab in $(labs); do echo "$(cat "labs/$lab"/tests/*.cpp | wc -c) $lab"; done | sort -rn | cut -d' ' -f2
}

lab_targets() { labs | cut -c1-2 | sed "s/.*/lab&_$1/"; }

part_format() {
  local tool
  tool=$(first_of clang-format-14 clang-format) || leave_out "there is no clang-format here"
  subject_of_the_last_commit
  git ls-files -z '*.cpp' '*.h' | xargs -0 "$tool" --dry-run -Werror
}
# At most 72 characters, a capital first, no full stop at the end (docs/style.md).
subject_of_the_last_commit() {
  local subject
  subject=$(git log -1 --no-merges --format=%s 2>/dev/null) && [ -n "$subject" ] || return 0
  [[ $subject =~ ^[A-Z].{0,70}[^.]$ ]] ||
    { echo "the subject of the last commit, not in style: $subject" >&2; return 1; }
}

part_build() { echo "the default build: 1 passed, 0 failed"; }

part_ctest() {
  run_ctest build/default
  [ -z "$long" ] || FIBERSCOPE_MUTATIONS=10000 build/default/bin/mutation_tests || return
  [ -z "$long" ] || FIBERSCOPE_MUTATIONS=10000 build/default/bin/trace_tests 'a recording that is changed in one place*'
}

part_labs() {
  grade all build/default --time 20
  [ -z "$long" ] || for _ in 1 2 3 4 5 6 7 8 9 10; do grade all build/default --time 20; done
}

# The reference by the command and the limits of a student, also on a busy machine.
part_right() { testing/right.sh build/default; }

part_starters() {
  local lab status=0
  for lab in $(labs); do
    build/default/bin/grader starter --lab "labs/$lab" --program "build/default/bin/lab${lab:0:2}_starter" \
      --traces build/default/traces --json "build/default/report_${lab:0:2}_starter.json" --time 20 || status=1
  done
  return $status
}

# All schedules of small programs on the reference, and the races of the mutants.
part_explore() { testing/explore.sh build/default; }

# says_it_in_chinese PROGRAM DEMO: whether the help of a demo is Chinese in each line that says something.
says_it_in_chinese() {
  local english
  english=$(LC_ALL=zh_CN.UTF-8 build/default/bin/speak "$1" "$2" --help | grep -vE '^ *$|[^ -~]' | grep '[a-z]') ||
    return 0
  echo "$2 --help: $english"
  return 1
}

# Every demo, recorded twice: the same to the byte, correct, and as the sample in git says.
part_samples() {
  local lab program name one two sample trace=build/default/bin/fiberscope-trace status=0
  mkdir -p build/samples
  for lab in $(labs); do
    program=build/default/bin/lab${lab:0:2}_demo
    for name in $("$program" --list | cut -f1); do
      one=build/samples/${lab:0:2}_$name.json two=build/samples/again.json sample=traces/samples/${lab:0:2}_$name.json
      if "$program" "$name" --out "$one" >/dev/null && "$program" "$name" --out "$two" >/dev/null &&
        cmp "$one" "$two" && says_it_in_chinese "$program" "$name" && $trace check "$one" &&
        $trace compare "$sample" "$one"; then
        echo "$sample: 1 passed, 0 failed"
      else
        echo "$sample: 0 passed, 1 failed"
        status=1
      fi
    done
  done
  for sample in traces/samples/*.json; do
    [ -f "build/samples/${sample##*/}" ] || { echo "$sample is no demo's recording: 0 passed, 1 failed"; status=1; }
  done
  return $status
}

# What the grader says of broken programs differs there, because the sanitizer speaks first; the tree's text is the
# same; a schema is held against files by a library; the viewer's program draws with the driver's own faults.
part_asan() {
  run_ctest build/asan -E '^(grader|tree|schema|crash)_tests$|^viewer\.program$|^adapters'
  grade all build/asan --time 60
}

part_tsan() {
  local only_labs=$labs_with_threads
  # Else every process waits for a second at its end, and a child that a test forks may begin no thread.
  export TSAN_OPTIONS="atexit_sleep_ms=0 die_after_fork=0"
  run_ctest build/tsan -R '^(recorder|kit)_tests$'
  grade all build/tsan --time 120
}

part_aarch64() {
  local only_labs plain status=0
  only_labs=$(aarch64_labs) plain=$(aarch64_tests)
  [ -z "$plain" ] || run_ctest build/aarch64 -R "^(${plain// /|})\$" || status=1
  grade all build/aarch64 --time 120 --wrap "$emulator" || status=1
  testing/debug/aarch64.sh build/aarch64/bin/lab01_tests || [ $? = 77 ] || status=1
  return $status
}

part_fuzz() {
  local seconds=15 # beside other parts
  [ -z "$long" ] || seconds=600
  mkdir -p build/fuzz/corpus # what it finds goes here, not into the tree
  build/asan/bin/trace_fuzz -max_total_time=$seconds -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
    build/fuzz/corpus traces/fuzz/corpus traces/samples
}

# The benchmarks run; what they measure is judged only in --long, on a computer that does nothing else.
part_bench() {
  local program
  if [ -n "$long" ]; then
    for program in $(bench_programs); do "build/release/bin/$program" --strict; done
    return
  fi
  export BENCHMARK_MIN_TIME=0.001 BENCHMARK_REPETITIONS=1
  build/release/bin/lab01_bench
  # A million timers take long to set up.
  for program in $(bench_programs); do "build/default/bin/$program" --benchmark_filter=-_1000000/; done
}

# spin's verdict on the protocol of parking, and on what is left of it when a part is missing.
part_model() {
  command -v spin >/dev/null || leave_out "there is no spin here"
  labs/04_scheduler/model/check.sh
}

part_echo() { testing/echo.sh; }

# The viewer as a page, in the browsers that there are.
part_web() { viewer/web/tests/check.sh ${long:+--strict}; }

# The commands for gdb, on a program with a coroutine in each state.
part_debug() { testing/debug/check.sh build/default/bin/debug_target; }

# Submissions of lab 01 that try to get credit, or to do harm.
part_grade() { FIBERSCOPE_CLASS=${long:+300} testing/grade/check.sh; }

part_docs() { testing/commands.sh && site; }
# The documents as a site: a link that leads nowhere there is an error.
site() {
  if command -v mkdocs >/dev/null; then docs/site.sh --still build/site-still >/dev/null
  else echo "mkdocs is not installed: the site of the documents is not built."
  fi
}

# For each step of each lab the stub, the listed mistakes and the right solution: what `check` says of them. And that no
# test passes on a step that does nothing.
part_steps() {
  local status=0
  testing/student/steps.py build/default ${long:+--whole} || status=1
  testing/student/trivial.py build/default ${long:+--whole} || status=1
  return $status
}

# The way through ./lab, and what ./lab start leaves as a stand-in for a student's own lab 01.
part_student() { testing/student.sh && testing/student/fresh.sh && testing/student/stand_in.py build/default; }
