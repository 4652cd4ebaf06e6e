# shellcheck shell=bash disable=SC2154
# Usage texts, for the whole tree and for a student's. Sourced by `lab`, which sets is_student.

usage() {
  printf '%s\n\n' "$(phrase "fiberscope: coroutines from the inside, one lab at a time")"
  usage_by_line
}

# first_usage: the commands that a newcomer needs first, one per line.
first_usage() {
  local verbs="demo test start run view web trace debug"
  [ -z "$is_student" ] || verbs="check progress hint reset demo run view debug"
  usage | awk -v verbs=" $verbs " 'index($0, "  ./lab ") != 1 { if (NR < 3) print; next }
    index(verbs, " " $2 " ") && !seen[$2]++'
  phrase "  ./lab help                  all commands"
}

usage_by_line() { if [ -n "$is_student" ]; then usage_of_student; else usage_of_all; fi | in_words tools; }

# usage_of VERB: its lines.
usage_of() { usage_by_line | awk -v verb="./lab $1 " 'index($0, "  ./lab ") == 1 { on = index($0, verb) } on'; }

# asks_for_help VERB ARGUMENT…: whether help is requested for a verb without its own help page. If the arguments are for
# another program, only the first one counts.
asks_for_help() {
  case $1 in
    progress | hint | reset | debug | compare | start)
      case " ${*:2} " in *" --help "* | *" -h "*) return 0 ;; esac ;;
    demo | bench | explore | web | record) case ${2:-} in --help | -h) return 0 ;; esac ;;
    run) case "${2:-} ${3:-}" in *--help | *-h | --help* | -h*) return 0 ;; esac ;;
  esac
  return 1
}

# refuse_verb: exits with the most similar verb.
refuse_verb() {
  local like=""
  # shellcheck disable=SC2046  # a list of words
  ! command -v python3 >/dev/null ||
    like=$(steps closest "$verb" $(usage_by_line | grep -oE '\./lab [a-z]+' | cut -d ' ' -f 2 | sort -u))
  [ -z "$like" ] || die "lab: unknown command \"{0}\"; did you mean \"{1}\"?" "$verb" "$like"
  die "lab: unknown command \"{0}\"; ./lab help lists all" "$verb"
}

usage_of_student() {
  cat <<'END'
  ./lab progress              all labs: solved steps, and the next step
  ./lab check                 the next open step: tests your files, and says what to do next
  ./lab check 01 1.3          one lab; one step of it; or the tests whose names contain these words  (--help: more)
  ./lab check 01 --watch      repeat the check whenever you save
  ./lab start --from 04       begin with a later lab: lower labs come solved, except where you wrote your own
  ./lab hint 1.3              a hint: a question first; the third is nearly the answer  (hint 1.3 2: the second)
  ./lab reset 01 context.cpp  restore the given file; yours is saved next to it
  ./lab demo                  the viewer, on the recordings of the reference and on your own
  ./lab run 01                the demos of a lab
  ./lab run 01 nested         run one with your files; prints the path of its recording
        --out FILE  --clock virtual|monotonic  --seed N  --strategy NAME|all
  ./lab run 05 echo_load --port 9000    a load for the echo server (./lab run 05 echo --port 9000)
  ./lab view FILE…            watch recordings; with --side-by-side all of them at once
  ./lab web --serve           the viewer as a page for a browser, with all samples; without --serve only built
  ./lab web FILE… --out class.html   a page in one file that shows these recordings, offline
  ./lab trace check FILE      inspect a recording: check, events, figures, state, export, compare
  ./lab record PROGRAM ARG…   run any program that uses ucontext or Boost.Context, and record its coroutines
        --out FILE              … into this file (docs/record-your-own.md)
  ./lab compare mixed         a demo with every strategy on 1, 2, 4 and 8 machines with 20 seeds: a table, CSV
        --strategy all|NAME,…  --machines N,…  --seeds N  --measures NAME,…  --out DIR
  ./lab debug 01 "TEST"       a test in gdb, or --demo NAME: info coroutines, coroutine N, info sets
  ./lab bench 01              compare the speed of your lab with the best of its kind
END
}

usage_of_all() {
  cat <<'END'
  ./lab demo [NN]             install missing packages, build, record every demo and open the viewer
  ./lab check 01              test your files in labs/01_*/exercise/, report the results and the next step
  ./lab check 01 1.3          only one step, or the tests whose names contain these words  (--help: more)
  ./lab progress              all labs: solved steps, and the next step
  ./lab hint 1.3   ./lab reset 01 context.cpp    a hint; the file as it was
  ./lab run 01                the demos of a lab
  ./lab run 01 nested         run one; prints the path of its recording
        --mine                  … with your own files instead of the reference
        --out FILE  --clock virtual|monotonic  --seed N
        --strategy NAME|all     … of lab 04; with all, --out is a directory, and a table compares them
  ./lab run 05 echo --server per_connection --port 9000   an echo server, until Ctrl-C; writes its recording
  ./lab run 05 echo_load --port 9000    a load for it, which checks every byte of the replies
  ./lab view FILE…            watch recordings; with --side-by-side all of them at once
  ./lab web --serve           the viewer as a page for a browser, with all samples; without --serve only built
  ./lab web FILE… --out class.html   a page in one file that shows these recordings, offline
  ./lab trace check FILE      inspect a recording: check, events, figures, state, export, compare
  ./lab record PROGRAM ARG…   run any program that uses ucontext or Boost.Context, and record its coroutines
        --out FILE              … into this file (docs/record-your-own.md)
  ./lab compare mixed         a demo with every strategy on 1, 2, 4 and 8 machines with 20 seeds: a table, CSV
        --strategy all|NAME,…  --machines N,…  --seeds N  --measures NAME,…  --out DIR
        --lock-ns N             … with a cost for each lock: docs/scale.md
  ./lab debug 01 "TEST"       a test of your own files in gdb: info coroutines, coroutine N, info sets
        --demo NAME             … a demo; --reference: with the reference instead of your files
  ./lab explore 04 mixed_go   a demo, or a test, in every order of its machines' steps  (--help; docs/explore.md)
  ./lab grade 01 FOLDER…      grade submissions, each in a sandbox  (--help; docs/grading.md)
  ./lab bench 01              compare the speed of a lab with the best of its kind
  ./lab start DIR             a student's own tree: handouts, exercises, given code and tests, with its own history
        --from 04               … to begin with lab 04: labs 01 to 03 are solved
        --class                 … for a class: without a history; --with-kit: with this fiberscope, compiled
  ./lab test                  check that fiberscope works here: the tests most likely to fail; --all: all  (--help)
END
}

usage_of_check() {
  in_words tools <<'END'
./lab check [NN [STEP|"TEST"]] [options]     tests your files in labs/NN_*/exercise/, and says what to do next

  NN                 the lab; without it the first one that is not solved
  STEP               only one step, such as 1.3 (then NN may be omitted), or the tests whose names contain these words
  --time SECONDS     limit of processor time for each test (default 2; five times that for large tests); the limit of
                     elapsed time is 30 times as long
  --parallel N       tests at a time (as many as there are processors)
  --language en|zh   of the output (default: from LANG)
  --asan, --tsan     with AddressSanitizer or ThreadSanitizer; needs the sources of fiberscope
  --watch            repeats the check whenever you save
END
}
