# shellcheck shell=bash disable=SC2154
# What a newcomer can type: in the whole tree, and in a student's. Sourced by `lab`, which sets is_student.

usage() {
  if [ "$language" = zh ]; then
    printf 'fiberscope：从内部看协程，一次一个 lab\n\n'
  else
    printf 'fiberscope: coroutines from the inside, one lab at a time\n\n'
  fi
  usage_by_line
}

usage_by_line() {
  case $is_student-$language in
    yes-zh) usage_of_student_in_chinese ;;
    yes-*) usage_of_student ;;
    -zh) usage_of_all_in_chinese ;;
    *) usage_of_all ;;
  esac
}

# usage_of VERB: the lines about it.
usage_of() { usage_by_line | awk -v verb="./lab $1 " 'index($0, "  ./lab ") == 1 { on = index($0, verb) } on'; }

# asks_for_help VERB ARGUMENT…: whether a verb that has no page of its own is asked for help. Where the arguments are
# for another program, only the first one counts.
asks_for_help() {
  case $1 in
    progress | watch | hint | reset | debug) case " ${*:2} " in *" --help "* | *" -h "*) return 0 ;; esac ;;
    start) [ -n "$is_student" ] && case " ${*:2} " in *" --help "* | *" -h "*) return 0 ;; esac ;;
    demo | tool | bench | explore | web | share) case ${2:-} in --help | -h) return 0 ;; esac ;;
    run) case "${2:-} ${3:-}" in *--help | *-h | --help* | -h*) return 0 ;; esac ;;
  esac
  return 1
}

usage_of_student() {
  cat <<'END'
  ./lab progress              all labs: what is solved, what is next
  ./lab check                 the next open step: try your files, see what works and what to do next
  ./lab check 01 1.3          one lab; one step of it; or the tests whose names have these words in them  (--help: more)
  ./lab watch 01              check again each time that you save
  ./lab start --from 04       begin with a later lab: what is not written of the labs below it is solved for you
  ./lab hint 1.3              a hint: a question first; the third is nearly the answer  (hint 1.3 2: the second)
  ./lab reset 01 context.cpp  the file as it was at the beginning; yours is kept beside it
  ./lab demo                  the viewer, on the recordings of the reference and on your own
  ./lab run 01                the demos of a lab
  ./lab run 01 nested         run one with your files; it prints where its recording lies
        --out FILE  --clock virtual|monotonic  --seed N  --strategy NAME|all
  ./lab tool 05 echo_load --port 9000   a load for the echo server (./lab run 05 echo --port 9000)
  ./lab view FILE…            watch recordings; with --side-by-side all of them under one playhead
  ./lab web --serve           the viewer as a page for a browser, with all samples; without --serve only built
  ./lab share FILE… --out class.html   a page in one file that shows these recordings, offline
  ./lab trace check FILE      ask about a recording: check, events, stats, figures, state, export, compare
  ./lab bench 01              measure your lab against the best of its kind
END
}

usage_of_student_in_chinese() {
  cat <<'END'
  ./lab progress              所有的 lab：解决了哪些，接下来做什么
  ./lab check                 下一个没解决的步骤：试你的文件，看哪些对了、接下来做什么
  ./lab check 01 1.3          一个 lab；它的一个步骤；或者名字里有这些词的测试  （--help：更多）
  ./lab watch 01              每次保存都重新检查
  ./lab start --from 04       从后面的 lab 开始：前面各个 lab 里还没写的由参考答案补上
  ./lab hint 1.3              提示：先是一个问题，然后更多；第三个几乎就是答案（hint 1.3 2：第二个）
  ./lab reset 01 context.cpp  把文件恢复成最初的样子；你的版本保留在旁边
  ./lab demo                  查看器，显示参考答案的 trace 和你自己的 trace
  ./lab run 01                一个 lab 的所有演示
  ./lab run 01 nested         用你的文件运行一个；它打印 trace 放在哪里
        --out FILE  --clock virtual|monotonic  --seed N  --strategy NAME|all
  ./lab tool 05 echo_load --port 9000   echo 服务器的负载（./lab run 05 echo --port 9000）
  ./lab view FILE…            观看 trace；加 --side-by-side 则在同一个播放头下一起看
  ./lab web --serve           浏览器里的查看器，带所有样本；不加 --serve 就只编译
  ./lab share FILE… --out class.html   把这些 trace 和查看器放进一个网页文件，离线也能看
  ./lab trace check FILE      查询一个 trace：check、events、stats、figures、state、export、compare
  ./lab bench 01              测量你的 lab，与同类中最好的比较
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
  ./lab web --serve           the viewer as a page for a browser, with all samples; without --serve only built
  ./lab share FILE… --out class.html   a page in one file that shows these recordings, offline
  ./lab trace check FILE      ask about a recording: check, events, stats, figures, state, export, compare
  ./lab debug 01 "TEST"       a test of your own files in gdb: info coroutines, coroutine N, info sets
        --demo NAME             … a demo; --reference: with the reference instead of your files
        --core FILE             … what a crash has left: ./lab check 01 --core
  ./lab explore 04 mixed_go   a demo, or a test, in every order of its machines' steps  (--help; docs/explore.md)
  ./lab grade 01 FOLDER…      marks for submissions, each judged in a sandbox  (--help; docs/grading.md)
  ./lab bench 01              measure a lab against the best of its kind
  ./lab start DIR             a student's own tree: without solutions, with a history of its own
        --from 04               … to begin with lab 04: labs 01 to 03 are solved  (--solved-through 03 says the same)
  ./lab handout DIR           the tree for a class  (--from NN: the labs below are solved;
                              --autograder NN: the grader of a lab for Gradescope)
  ./lab test                  what a change usually breaks; --all: everything that this project promises  (--help)
END
}

usage_of_all_in_chinese() {
  cat <<'END'
  ./lab demo                  安装缺少的软件包，编译，记录每个演示，然后观看
  ./lab check 01              试 labs/01_*/exercise/ 里你的文件：哪些对了，哪些不对，接下来做什么
  ./lab check 01 1.3          只试一个步骤，或者名字里有这些词的测试  （--help：更多）
  ./lab progress              所有的 lab：解决了哪些，接下来做什么
  ./lab watch 01   ./lab hint 1.3   ./lab reset 01 context.cpp    每次保存都检查；提示；文件最初的样子
  ./lab run 01                一个 lab 的所有演示
  ./lab run 01 nested         运行一个；它打印 trace 放在哪里
        --mine                  …… 用你自己的文件，而不是参考答案
        --out FILE  --clock virtual|monotonic  --seed N
        --strategy NAME|all     …… lab 04 的；用 all 时 --out 是一个目录，并有一张比较它们的表
  ./lab run 05 echo --server per_connection --port 9000   echo 服务器，直到 Ctrl-C；它留下 trace
  ./lab tool 05 echo_load --port 9000   给它的负载：比较回来的每个字节
  ./lab view FILE…            观看 trace；加 --side-by-side 则在同一个播放头下一起看
  ./lab web --serve           浏览器里的查看器，带所有样本；不加 --serve 就只编译
  ./lab share FILE… --out class.html   把这些 trace 和查看器放进一个网页文件，离线也能看
  ./lab trace check FILE      查询一个 trace：check、events、stats、figures、state、export、compare
  ./lab debug 01 "TEST"       在 gdb 里运行你自己文件的一个测试：info coroutines、coroutine N、info sets
        --demo NAME             …… 一个演示；--reference：用参考答案，而不是你的文件
        --core FILE             …… 崩溃留下的 core：./lab check 01 --core
  ./lab explore 04 mixed_go   以机器步骤的每一种次序运行一个演示或测试  （--help；docs/explore.md）
  ./lab grade 01 FOLDER…      给提交评分，每份都在沙箱里判定  （--help；docs/grading.md）
  ./lab bench 01              测量一个 lab，与同类中最好的比较
  ./lab start DIR             学生自己的代码树：没有参考答案，有自己的 git 历史
        --from 04               …… 从 lab 04 开始：lab 01 到 03 已解决  （--solved-through 03 意思相同）
  ./lab handout DIR           给一个班的代码树  （--from NN：前面的 lab 已解决；
                              --autograder NN：一个 lab 在 Gradescope 上的评分器）
  ./lab test                  改动通常会弄坏的东西；--all：这个项目所承诺的一切  （--help）
END
}

usage_of_check() {
  case $language in zh) usage_of_check_in_chinese ;; *) usage_of_check_in_english ;; esac
}

usage_of_check_in_english() {
  cat <<'END'
./lab check [NN [STEP|"TEST"]] [options]     tries your files in labs/NN_*/exercise/: what works, what is next

  NN                 the lab; without it the first one that is not solved
  STEP               only one step, such as 1.3; or only the tests whose names have these words in them
  --time SECONDS     processor time that one test may use (2; five times that for tests of very many); by the clock
                     it may take fifteen times as long, and what the test waits for a processor is not counted
  --build-time SECONDS   after this time a build is stopped (600)
  --parallel N       tests at a time (as many as there are processors)
  --language en|zh   of what it says; that of LANG if not given
  --core             a crash leaves a core dump, and the story names the command that opens it in gdb
END
}

usage_of_check_in_chinese() {
  cat <<'END'
./lab check [NN [STEP|"TEST"]] [options]     试 labs/NN_*/exercise/ 里你的文件：哪些对了，接下来做什么

  NN                 哪个 lab；不写就是第一个没有解决的
  STEP               只试一个步骤，例如 1.3；或者只试名字里有这些词的测试
  --time SECONDS     一个测试可以用的处理器时间（2；数量很大的测试是它的五倍）；按时钟可以是它的十五倍，
                     而等待处理器的时间不算
  --build-time SECONDS   过了这个时间就停止编译（600）
  --parallel N       同时试几个测试（默认与处理器一样多）
  --language en|zh   用哪种语言说；不写就按 LANG
  --core             崩溃时留下 core dump，并说出在 gdb 里打开它的命令
END
}
