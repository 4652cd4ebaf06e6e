# shellcheck shell=bash disable=SC2154
# What a newcomer can type: in the whole tree, and in a student's. Sourced by `lab`, which sets is_student.

usage() {
  cat <<'END'
fiberscope: coroutines from the inside, one lab at a time

END
  if [ -n "$is_student" ]; then usage_of_student; else usage_of_all; fi
}

usage_of_student() {
  cat <<'END'
  ./lab progress              all labs: what is solved, what is next
  ./lab check                 the next open step: try your files, see what works and what to do next
  ./lab check 01 1.3          one lab; one step of it; or the tests whose names have these words in them  (--help: more)
  ./lab watch 01              check again each time that you save
  ./lab hint 1.3              a hint: a question first, then more; the third is nearly the answer
  ./lab reset 01 context.cpp  the file as it was at the beginning; yours is kept beside it
  ./lab demo                  the viewer, on the recordings of the reference and on your own
  ./lab run 01                the demos of a lab
  ./lab run 01 nested         run one with your files; it prints where its recording lies
        --out FILE  --clock virtual|monotonic  --seed N  --strategy NAME|all
  ./lab tool 05 echo_load --port 9000   a load for the echo server (./lab run 05 echo --port 9000)
  ./lab view FILE…            watch recordings; with --side-by-side all of them under one playhead
  ./lab trace check FILE      ask about a recording: check, events, stats, figures, state, export, compare
  ./lab debug 01 "TEST"       a test in gdb, with all coroutines: info coroutines, coroutine N, info sets
        --core FILE             … what a crash has left: ./lab check 01 --core
  ./lab explore 04 "TEST"     a test, or a demo, in every order of its machines' steps  (--help: more)
  ./lab bench 01              measure your lab against the best of its kind
END
}

usage_of_all() {
  cat <<'END'
  ./lab demo                  install what is missing, build, record every demo and watch them
  ./lab check 01              try your files in labs/01_*/exercise/: what works, what does not, what is next
  ./lab check 01 1.3          only one step, or the tests whose names have these words in them  (--help: more)
  ./lab progress              all labs: what is solved, what is next
  ./lab watch 01   ./lab hint 1.3   ./lab reset 01 context.cpp    check at every save; a hint; the file as it was
  ./lab run 01                the demos of a lab
  ./lab run 01 nested         run one; it prints where its recording lies
        --mine                  … with your own files instead of the reference
        --out FILE  --clock virtual|monotonic  --seed N
        --strategy NAME|all     … of lab 04; with all, --out is a directory, and a table compares them
  ./lab run 05 echo --server per_connection --port 9000   an echo server, until Ctrl-C; it leaves its recording
  ./lab tool 05 echo_load --port 9000   a load for it: every byte that comes back is compared
  ./lab view FILE…            watch recordings; with --side-by-side all of them under one playhead
  ./lab trace check FILE      ask about a recording: check, events, stats, figures, state, export, compare
  ./lab debug 01 "TEST"       a test of your own files in gdb: info coroutines, coroutine N, info sets
        --demo NAME             … a demo; --reference: with the reference instead of your files
        --core FILE             … what a crash has left: ./lab check 01 --core
  ./lab explore 04 mixed_go   a demo, or a test, in every order of its machines' steps  (--help; docs/explore.md)
  ./lab grade 01 FOLDER…      marks for submissions, each judged in a sandbox  (--help; docs/grading.md)
  ./lab bench 01              measure a lab against the best of its kind
  ./lab start DIR             a student's own tree: without solutions, with a history of its own
  ./lab handout DIR           the tree for a class  (--solved-through NN: the first labs solved;
                              --autograder NN: the grader of a lab for Gradescope)
  ./lab test                  everything that this project promises  (--help: parts of it, more of it)
END
}
