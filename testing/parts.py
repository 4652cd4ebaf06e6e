"""The parts of ./lab test (run.py): a shell command that compiles, and one that runs the tests. Lines like
"3 passed, 0 failed" in a part's output are added up. A part is skipped if it raises LeftOut or exits with 77; the
exception's text or the last line of output is the reason."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from typing import Callable

FORMAT = 14
EMULATOR = "qemu-aarch64 -L /usr/aarch64-linux-gnu"
LABS = sorted(name for name in os.listdir(os.path.join(os.path.dirname(__file__), "../labs")) if name[:2].isdigit())
OF_THREADS = LABS[3:]  # use several threads: tested under ThreadSanitizer, as are the kit's machines and the recorder


class LeftOut(Exception):
    """The reason why a part is skipped."""


@dataclass
class Part:
    run: Callable
    build: Callable = lambda long: "true"


def needs(*programs):
    """Returns the first of these programs that is installed."""
    found = next(filter(shutil.which, programs), None)
    if not found:
        raise LeftOut(f"{programs[0]} is not installed")
    return found


def targets(kind, labs=LABS):
    return " ".join(f"lab{lab[:2]}_{kind}" for lab in labs)


def cmake(preset, wanted, options="", folder=""):
    """Builds targets, or "all"."""
    folder = folder or f"build/{preset}"
    return f"cmake --preset {preset} -B {folder} {options} && cmake --build {folder} --target {wanted}"


def clang(preset, wanted, options=""):
    needs("clang")
    return cmake(preset, wanted, f"-DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ {options}")


def read_only(folder, programs):
    """Compiles the files of those of the programs that exist, without output files, for the warnings."""
    names = "|".join(programs.split())
    return rf"""ninja -C {folder} -t commands | grep -E 'CMakeFiles/({names})(_objects)?\.dir/[^ ]*\.o -c ' |
      sed -E 's/ -MD -MT [^ ]+ -MF [^ ]+ -o [^ ]+ -c / -fsyntax-only /' |
      (cd {folder} && xargs -d '\n' -P "$(nproc)" -I COMMAND sh -c COMMAND)"""


def grade(mode, folder, options, labs=LABS):
    """Checks labs with the grader of the default build; many tests wait, so as many labs at a time as processors."""
    program = "starter" if mode == "starter" else "tests"
    call = f"""build/default/bin/grader {mode} --lab labs/$lab --program {folder}/bin/lab${{lab%%_*}}_{program} \
      --traces {folder}/traces {options}"""
    return f"""status=0; printf '%s\n' {" ".join(reversed(labs))} |
      xargs -P "$(nproc)" -I LAB sh -c 'lab=LAB; {call} >build/logs/{mode}-LAB.log 2>&1' || status=1
      cat {" ".join(f"build/logs/{mode}-{lab}.log" for lab in labs)}; [ $status = 0 ]"""


def ctest(folder, options="", label="-LE"):
    return f"""ctest --test-dir {folder} --output-on-failure --no-tests=error --timeout 600 -j "$(nproc)" \
      {label} '^lab[0-9]' {options} | sed -E 's/^[0-9]+% tests passed, ([0-9]+) tests? failed out of ([0-9]+)$/&\\
\\1 \\2/' | awk '/^[0-9]+ [0-9]+$/ {{ print "ctest: " $2 - $1 " passed, " $1 " failed"; next }} {{ print }}'"""


def form(long):
    """Needs exactly this version of clang-format: the output of versions differs."""
    wanted = f"clang-format-{FORMAT}"
    tool = shutil.which(wanted) or needs("clang-format")
    version = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout
    if not re.search(rf"version {FORMAT}\.", version):
        raise LeftOut(f"needs {wanted}, but {version.strip()} is installed")
    return f"git ls-files -z '*.cpp' '*.h' | xargs -0 {tool} --dry-run -Werror"


def alone(long):
    """Compiles each test file alone, to find missing includes."""
    build = cmake("default", "testing_headers", "-DFIBERSCOPE_TOGETHER=1", "build/alone")
    return build + " && " + read_only("build/alone", "[a-z0-9_]*tests? [a-z0-9_]*test_objects")


def asan_build(long):
    """Built with clang, so the second compiler sees the whole tree; its warnings are errors."""
    tests = (
        "kit_tests languages_tests recorder_tests trace_tests viewer_tests mutation_tests explore_tests written_tests "
        "channel_programs_tests fiberscope-viewer make_viewer_traces"
    )
    others = "lab05_tools lab05_redis lab05_limits grader grader_tests broken_tests"
    build = clang("asan", f"{targets('tests')} {tests}", "-DFIBERSCOPE_FUZZ=ON")
    return build + " && " + read_only("build/asan", f"{others} schema_tests {targets('demo')}")


def aarch64(long):
    """The parts that depend on the architecture: the switches, shared stacks, registers in traces. --long: all."""
    return (LABS, "recorder_tests trace_tests") if long else (LABS[:3], "")


def aarch64_build(long):
    needs("aarch64-linux-gnu-g++"), needs("qemu-aarch64")
    labs, plain = aarch64(long)
    return cmake("aarch64", f"{targets('tests', labs)} {plain}")


def aarch64_run(long):
    labs, plain = aarch64(long)
    own = ctest("build/aarch64", f"-R '^({plain.replace(' ', '|')})$'") + "; " if plain else ""
    debugger = "extras/gdb/tests/aarch64.py build/aarch64/bin/lab01_tests || [ $? = 77 ]"
    emulated = rf"""mkdir -p build/aarch64/emulated/bin; for program in {targets("tests", labs)}; do
      echo 'exec {EMULATOR} build/aarch64/bin/'$program' "$@"' >build/aarch64/emulated/bin/$program
      chmod +x build/aarch64/emulated/bin/$program; done; """
    return own + emulated + grade("all", "build/aarch64/emulated", "--time 120", labs) + "; " + debugger


BENCHES = f"{targets('bench')} recorder_bench trace_bench"


def bench_build(long):
    """Link-time optimisation is slow: without --long for one lab only; the others use the default build."""
    if long:
        return cmake("release", BENCHES)
    return cmake("default", BENCHES) + "; " + cmake("release", "lab01_bench")


def bench(long):
    """Measurements are only compared with limits in --long, on an otherwise idle computer."""
    if long:
        strict = f"for program in {BENCHES}; do build/release/bin/$program --strict; done"
        return strict + "; long=yes testing/commands.py bench"
    return f"""export BENCHMARK_MIN_TIME=0.001 BENCHMARK_REPETITIONS=1
      testing/commands.py bench
      for program in {BENCHES}; do build/default/bin/$program --benchmark_filter=-_1000000/; done"""


def docs(long):
    """The commands on the pages; and the site made of the pages, where a broken link is an error."""
    return "testing/commands.py pages; ! command -v mkdocs >/dev/null || docs/site.sh --still build/site-still"


def fuzz(long):
    return f"""mkdir -p build/fuzz/corpus  # new inputs are stored here, not in the tree
      build/asan/bin/trace_fuzz -max_total_time={600 if long else 15} -timeout=10 -rss_limit_mb=1024 \
        -print_final_stats=1 build/fuzz/corpus traces/fuzz/corpus traces/samples"""


def long_ctest(long):
    more = """; export FIBERSCOPE_MUTATIONS=10000; build/default/bin/mutation_tests
      build/default/bin/trace_tests 'a recording that is changed in one place*'"""
    return ctest("build/default", "-E '^adapters'") + (more if long else "")


CORE = ("04_scheduler", "05_epoll_io")  # the labs that have challenges
RACES = "$(cut -d' ' -f1 extras/explore/tests/races.txt)"
STUDENT = "testing/student/way.py; testing/student/fresh.py"
STEPS = "testing/student/steps.py build/default {0}; testing/student/trivial.py build/default {0}"
# The tests that differ in a sanitizer's build: the grader's on broken programs.
ASAN = "-E '^(tree|schema_tests|crash_tests)|^grader|^adapters|^compare'"
# Otherwise every process sleeps for a second at exit, and a forked child cannot create threads.
TSAN = 'export TSAN_OPTIONS="atexit_sleep_ms=0 die_after_fork=0"; '
WHOLE = cmake("default", "all grader")
# On a fresh system: the first commands of README, then a student's first steps.
NEWCOMER = "./lab demo && ./lab test && testing/student/fresh.py"

PARTS = {
    "format": Part(form),
    "build": Part(lambda long: "echo the default build: 1 passed, 0 failed",
                  lambda long: WHOLE + (" && " + alone(long) if long else "")),
    "ctest": Part(long_ctest),
    "labs": Part(lambda long: "; ".join([grade("all", "build/default", "--time 20")] * (11 if long else 1))),
    "core": Part(lambda long: ctest("build/core", label="-L"),
                 lambda long: cmake("default", targets("tests", CORE), "-DFIBERSCOPE_CHALLENGES=none", "build/core")),
    "starters": Part(lambda long: grade("starter", "build/default", "--time 20"),
                     lambda long: cmake("default", targets("starter"))),
    "samples": Part(lambda long: "testing/samples.py build/default"),
    "docs": Part(docs),
    "right": Part(lambda long: f"long={'yes' if long else ''} testing/right.py build/default"),
    "echo": Part(lambda long: f"long={'yes' if long else ''} testing/echo.py"),
    "debug": Part(lambda long: "extras/gdb/tests/check.py build/default/bin/debug_target",
                  lambda long: cmake("default", "debug_target")),
    "grade": Part(lambda long: f"FIBERSCOPE_CLASS={'300' if long else ''} extras/grading/tests/attacks.py",
                  lambda long: cmake("exercise", " ".join(map(targets, ("tests", "proof", "proof_reference"))))),
    "steps": Part(lambda long: STEPS.format("--whole" if long else ""),
                  lambda long: cmake("default", f"{targets('starter')} {targets('tests')}")),
    "explore": Part(lambda long: "extras/explore/tests/check.py build/default",
                    lambda long: cmake("default", "lab04_tests lab04_starter lab04_explore") +
                    f" && testing/student/mutants.py build/default 04_scheduler {RACES}"),
    "adapters": Part(lambda long: ctest("build/default", "-R '^adapters'"),
                     lambda long: cmake("default", "fiberscope_record fiberscope_preload.so fiberscope-trace "
                                           "lab02_demo adapters_workloads")),
    "bench": Part(bench, bench_build),
    "student": Part(lambda long: STUDENT),
    "model": Part(lambda long: "extras/model/check.py", lambda long: needs("spin") and "true"),
    "asan": Part(lambda long: ctest("build/asan", ASAN) + "; " + grade("all", "build/asan", "--time 60"), asan_build),
    "fuzz": Part(fuzz, lambda long: clang("asan", "trace_fuzz", "-DFIBERSCOPE_FUZZ=ON")),
    "tsan": Part(lambda long: TSAN + ctest("build/tsan", "-R '^(recorder|kit)_tests$'") + "; " +
                 grade("all", "build/tsan", "--time 120", OF_THREADS),
                 lambda long: clang("tsan", f"{targets('tests', OF_THREADS)} kit_tests recorder_tests")),
    "aarch64": Part(aarch64_run, aarch64_build),
    "web": Part(lambda long: "viewer/web/tests/check.py" + " --strict" * bool(long)),
    "trixie": Part(lambda long: f"testing/bare.sh trixie '{NEWCOMER}'", lambda long: needs("mmdebstrap") and "true"),
    "package": Part(lambda long: "testing/package.sh bookworm; testing/package.sh trixie",
                    lambda long: needs("mmdebstrap") and "true"),
}  # fmt: skip
FIRST = ["format", "build", "ctest", "labs", "starters", "samples", "docs"]  # what a change usually breaks
WHOLE_BUILD = {"format", "model", "fuzz", "web", "student", "trixie", "package"}  # parts that need no default build
ALL_ONLY = {"trixie", "package"}  # not in CI, which has two processors and no time to build everything twice
# Parts with their own build folders.
BESIDE = {"asan", "fuzz", "tsan", "aarch64", "web", "trixie", "package"}
