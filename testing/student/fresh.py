#!/usr/bin/env python3
"""Goes the first way of a student, in a tree of ./lab start: what is told before anything is built, how to begin with a
later lab, what asks for help and gets nothing installed, and what the first verdict costs the processors."""

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from expect import ROOT, end, expect, lab, leave_out, output, run  # noqa: E402

HELP = """test --help, test --list, test -h, start --help, start ../nowhere --help, handout --help, grade --help,
    grade 01 --help, check --help, check 01 --list, progress --help, watch --help, hint --help, reset --help,
    demo --help, demo --list, run --help, run 01 --list, run 01 nested --help, tool --help, tool 05 echo_load --help,
    view --help, trace --help, trace check --help, debug --help, explore --help, explore 04 mixed_go --help,
    bench --help, bench 01 --help"""
LABS = Path("labs")
CONTEXT = LABS / "01_switch_asm/exercise/context.cpp"
SOLVED = (ROOT / LABS / "01_switch_asm/solution/context.cpp").read_text()


def put_program(name, script):
    (bare / name).write_text("#!/bin/sh\n" + script)
    (bare / name).chmod(0o755)


def ask_bare(words, *patterns, **expected):
    """Where nothing is installed: (the answer, what was installed meanwhile)."""
    installed.write_text("")
    return lab(words, *patterns, PATH=f"{bare}:{os.environ['PATH']}", **expected), installed.read_text()


def expect_nothing_built(when):
    built = [name for name in ("default", "exercise", "release") if Path("build", name).exists()]
    expect(not built, f"{when}: nothing is built")


def ask_for_help(tree):
    """Of every verb; what asks for help gets an answer."""
    os.chdir(tree)
    for words in re.split(r",\s+", HELP):
        _, is_installed = ask_bare(words, ".", status=None if words.endswith("--list") else 0)
        expect(not is_installed, f"{words}: nothing is installed")
    expect_nothing_built(f"help in {tree}")


def installing():
    """It is said first what it is for, and what is installed; and then it is installed."""
    put_program("cmake", 'echo "cmake $*"; exit 1')
    answer, is_installed = ask_bare("view traces/samples/01_nested.json")
    first = answer.said.split("\n")[0]
    expect(re.match(r"lab: installing, to build and to watch: .*g\+\+", first), "its first line")
    expect(is_installed, "then it installs")
    shutil.rmtree("build")
    (bare / "cmake").unlink()


def before_anything_is_built():
    """What is not written, and what a lab stands on. Returns the command that is named."""
    edit = "edit +labs/01_switch_asm/exercise/context.cpp"
    lab("check", r"· 1\.1 .*not implemented yet", edit, status=1, most=2)
    answer = lab("check 04 4.1", r"Lab 04 stands on lab 01, .*step 1\.1", status=1, most=1)
    command = re.findall(r"\./lab (.*)", answer.said)
    expect(command == ["start --from 04"], "one command is named")
    lab("check 05", r"\./lab start --from 05$")
    lab("progress", r"\./lab start --from 04$")
    expect_nothing_built("what is told")
    return command[0]


def first_verdicts():
    """On a step that is written, after an edit, and of one that fails: the bars are 60 s on two processors, 3 s, 5 s"""
    CONTEXT.write_text(SOLVED)
    lab("check 01", r"✓ 1\.1 .*pass", most=120)
    lab("check 01 1.2", r"· 1\.2 .*not implemented yet", most=2)
    CONTEXT.write_text(SOLVED + "// one more line\n")
    lab("check 01", r"✓ 1\.1 .*pass", most=3)
    CONTEXT.write_text(re.sub(r"context\.r12 = [^;]*;", "context.r12 = 0;", SOLVED))
    lab("check 01", r"✗ 1\.1", most=5)
    output("git checkout -q", CONTEXT)
    lab("check 01 1.1", r"· 1\.1 .*not implemented yet")


def beginning_with_a_later_lab(command):
    """The labs below it are given where they are not written; what the student wrote stays, or is kept beside it."""
    CONTEXT.write_text(SOLVED + "// mine\n")
    begun = CONTEXT.with_name("coroutine.cpp")
    begun.write_text(begun.read_text() + "// begun\n")
    lab(command, r"Your version is in labs/01_switch_asm/exercise/coroutine\.cpp\.kept-", status=0)
    expect("// mine" in CONTEXT.read_text(), "what is written stays")
    expect_given("02_ucontext/exercise/fiber.cpp", ".")
    kept = [file.read_text() for file in CONTEXT.parent.glob("coroutine.cpp.kept-*")]
    expect(any("// begun" in text for text in kept), "what was begun is kept")
    lab("check 04 4.1", r"· 4\.1 .*not implemented yet")
    lab("progress", "✓ 02_ucontext .*solved for you", "→ 04_scheduler")


def expect_given(file, tree):
    solution = (ROOT / LABS / file.replace("exercise", "solution")).read_text()
    expect((tree / LABS / file).read_text() == solution, f"{file} is given")


if run("git rev-parse -q --verify HEAD", cwd=ROOT).status != 0:
    leave_out("this tree has no history: left out")
for name in "LC_ALL", "LC_MESSAGES", "LANG", "FIBERSCOPE_WERROR":  # a student's warnings are no errors
    os.environ.pop(name, None)
os.environ["CCACHE_DISABLE"] = "1"
with tempfile.TemporaryDirectory() as work:
    work = Path(work)
    bare, installed = work / "bare", work / "bare/installed"
    bare.mkdir()
    # A system on which nothing is installed: apt-get writes down that it was called, and can do nothing.
    put_program("apt-get", f'echo "apt-get $*" | tee -a {installed}; exit 1')
    put_program("dpkg-query", "exit 1")
    put_program("sudo", 'exec "$@"')
    output("git clone -q", ROOT, work / "whole")
    ask_for_help(work / "whole")
    lab(f"start {work}/tree")
    ask_for_help(work / "tree")
    installing()
    command = before_anything_is_built()
    first_verdicts()
    beginning_with_a_later_lab(command)
    os.chdir(work / "whole")
    lab(f"start --from 03 {work}/from")  # from the whole tree, a tree that begins with a lab
    expect_given("02_ucontext/exercise/pool.cpp", work / "from")
    os.chdir(ROOT)
end("a fresh tree")
