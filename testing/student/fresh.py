#!/usr/bin/env python3
"""A student's first steps in a tree of ./lab start, with the fiberscope built in this tree: answers before anything is
built, starting with a later lab, help that installs nothing, and the CPU time of each answer."""

import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from expect import ROOT, end, expect, lab, leave_out, output, run  # noqa: E402

from compose import compose, definitions, steps_of
from trivial import result_of

HELP = """test --help, test --list, test -h, start --help, start ../nowhere --help, grade --help,
    grade 01 --help, check --help, check 01 --list, progress --help, hint --help, reset --help,
    demo --help, demo --list, run --help, run 01 --list, run 01 nested --help, run 05 echo_load --help,
    view --help, trace --help, trace check --help, debug --help, explore --help, explore 04 mixed_go --help,
    bench --help, bench 01 --help"""
LABS = Path("labs")
READY = ROOT / "build/kit/lib/fiberscope/ready"  # if missing, the files there are reinstalled
CONTEXT = LABS / "01_switch_asm/exercise/context.cpp"
SOLVED = (ROOT / LABS / "01_switch_asm/solution/context.cpp").read_text()


def put_program(name, script):
    (bare / name).write_text("#!/bin/sh\n" + script)
    (bare / name).chmod(0o755)


def ask_bare(words, *patterns, **expected):
    """Runs ./lab without installed packages: (output, packages installed by it)."""
    installed.write_text("")
    return lab(words, *patterns, PATH=f"{bare}:{os.environ['PATH']}", **expected), installed.read_text()


def expect_nothing_built(when):
    folders = [tree / "build" / name for tree in (whole, tree_of_student) for name in ("default", "kit", "mine")]
    built = [folder for folder in folders if folder.exists()]
    expect(not built, f"{when}: nothing is built")


def ask_for_help(tree):
    """Every verb prints help."""
    os.chdir(tree)
    for words in re.split(r",\s+", HELP):
        _, is_installed = ask_bare(words, ".", status=None if words.endswith("--list") else 0)
        expect(not is_installed, f"{words}: nothing is installed")
    expect_nothing_built(f"help in {tree}")


def installing():
    """Announces the purpose and the packages before installing them."""
    put_program("cmake", 'echo "cmake $*"; exit 1')
    answer, is_installed = ask_bare("view 01_nested")
    expect(re.search(r"^lab: installing, to build and to watch: .*g\+\+", answer.said, re.M), "packages are announced")
    expect(is_installed, "the packages are installed")
    (bare / "cmake").unlink()


def before_anything_is_built():
    """Answers to unwritten code in a lab and in the labs below. Returns the suggested command."""
    edit = "edit +labs/01_switch_asm/exercise/context.cpp"
    lab("check", r"· 1\.1 .*not implemented yet", edit, status=1, most=1)
    answer = lab("check 04 4.1", r"Lab 04 depends on lab 01, .*step 1\.1", status=1, most=1)
    command = re.findall(r"\./lab (.*)", answer.said)
    expect(command == ["start --from 04"], "one command is suggested")
    lab("check 05", r"\./lab start --from 05$")
    lab("progress", r"\./lab start --from 04$")
    expect_nothing_built("an answer about unwritten code")
    return command[0]


def first_verdicts():
    """A solved step, an edit, a failing step, and a compile error."""
    CONTEXT.write_text(SOLVED)
    lab("check 01", r"✓ 1\.1 .*pass", most=15)
    lab("check 01 1.2", r"· 1\.2 .*not implemented yet", most=1)
    CONTEXT.write_text(SOLVED + "// one more line\n")
    lab("check 01", r"✓ 1\.1 .*pass", most=3)
    CONTEXT.write_text(re.sub(r"context\.r12 = [^;]*;", "context.r12 = 0;", SOLVED))
    lab("check 01", r"✗ 1\.1", most=6)
    CONTEXT.write_text(SOLVED + "not C++\n")
    lab("check 01", "exercise/context.cpp does not compile", most=3)
    output("git checkout -q", CONTEXT)
    lab("check 01 1.1", r"· 1\.1 .*not implemented yet")


def edits_without_effect():
    """Edits of precompiled files (given code, tests) are reported and have no effect."""
    CONTEXT.write_text(SOLVED)
    test = next(Path("labs/01_switch_asm/tests").glob("*_test.cpp"))
    test.write_text("not C++")
    lab("check 01", rf"^lab: edits of {test} have no effect", r"✓ 1\.1")
    output("git checkout -q", test)


def beginning_with_a_later_lab(command):
    """Unwritten code of the labs below comes from the reference; written code is kept and used."""
    lab(command, "come solved, except where you have written your own code", status=0)
    expect(CONTEXT.read_text() == SOLVED, "written code is kept")
    lab("check 04 4.1", r"· 4\.1 .*not implemented yet", most=1)
    lab("progress", "✓ 02_ucontext .*solved for you", "→ 04_scheduler")


def first_steps():
    """Checks the first step of each lab, with the labs below from the reference."""
    lab("start --from 06", status=0)
    for folder in sorted(LABS.glob("0*")):
        step = json.loads((folder / "steps.json").read_text())[0]
        files = [step["file"]] if isinstance(step["file"], str) else step["file"]
        for file in (name.replace("{arch}", os.uname().machine) for name in files):
            shutil.copy(ROOT / folder / file.replace("exercise", "solution"), folder / file)
        shutil.rmtree("build/mine", ignore_errors=True)
        lab(f"check {step['step']}", rf"✓ {step['step']} .*pass", most=15)


def with_a_mistake_below():
    """After a failed test the test is repeated on the reference of the labs below, to find the lab with the mistake."""
    output("git checkout -q labs")
    for folder in "01_switch_asm", "02_ucontext", "04_scheduler":
        solve(LABS / folder)
    wrong = CONTEXT.with_name("coroutine.cpp")
    text = wrong.read_text()
    lab("check 4.1", "✓ 4.1", status=0)
    lab("run 01 nested", "01_nested_mine.json", status=0)
    lab("trace check build/traces/01_nested.json", status=0)  # the name in the handouts
    wrong.write_text(text.replace("{Why::yield, left,", "{Why::yield, State::ready,"))
    expect(wrong.read_text() != text, "lab 01 is changed")
    lab("check 4.1", "Lab 01, which this lab uses: .* tests of .* pass. Fix that first", status=1)


def solve(folder):
    for file in (ROOT / folder).glob("**/solution/*"):
        shutil.copy(file, str(file.relative_to(ROOT)).replace("/solution/", "/exercise/"))


def step_by_step(folder):
    """Solves one step after the other; each is checked alone, and the next is unwritten."""
    steps = [step["step"] for step in json.loads((folder / "steps.json").read_text())]
    starter = {file: file.read_text() for file in folder.glob("**/exercise/*.cpp")}
    for step, following in zip(steps, [*steps[1:], None]):
        solve(folder)
        for file, text in starter.items():
            file.write_text(compose(file.read_text(), text, step))
        lab(f"check {step}", rf"✓ {step} .*pass", never="✗", status=0)
        if following:
            lab(f"check {following}", "✓|not implemented yet", never="✗")


def trivially_wrong(folder):
    """Each function with a stub returns immediately: no step may pass."""
    for file in sorted(folder.glob("**/exercise/*.cpp")):
        text = output("git show", f"HEAD:{file}")
        for name, begin, end_of_it in reversed(definitions(text)):
            function = text[begin:end_of_it]
            if steps_of(function) and not result_of(function, name).endswith("&"):
                value = "" if result_of(function, name) in ("", "void") else " {}"
                text = text[:begin] + function[: function.index("{")] + f"{{ return{value}; }}\n" + text[end_of_it:]
        file.write_text(text)
    lab(f"check {folder.name[:2]} --time 0.5", "✗", never="✓", status=1)


def references():
    """Every lab is solved by the reference."""
    output("git checkout -q labs")
    for folder in sorted(LABS.glob("0*")):
        solve(folder)
        lab(f"check {folder.name[:2]}", "The lab is solved", never="✗", status=0)


def size_of_the_tree():
    files = [path for path in tree_of_student.rglob("*") if path.is_file() and ".git" not in path.parts]
    code = [path for path in files if path.suffix not in (".md", ".png")]
    lines = sum(path.read_text().count("\n") for path in code)
    print(f"a student's tree: {len(files)} files, {lines} lines without handouts")
    expect(len(files) <= 450, "at most 450 files")


if run("git rev-parse -q --verify HEAD", cwd=ROOT).status != 0:
    leave_out("skipped: not a git clone")
for name in "LC_ALL", "LC_MESSAGES", "LANG", "FIBERSCOPE_WERROR":  # a student's warnings are not errors
    os.environ.pop(name, None)
os.environ["CCACHE_DISABLE"] = "1"
with tempfile.TemporaryDirectory() as work:
    work = Path(work)
    bare, installed = work / "bare", work / "bare/installed"
    bare.mkdir()
    # Simulates a system without packages: apt-get only logs its arguments.
    put_program("apt-get", f'echo "apt-get $*" | tee -a {installed}; exit 1')
    put_program("dpkg-query", "exit 1")
    put_program("sudo", 'exec "$@"')
    whole, tree_of_student = work / "whole", work / "tree"
    output("git clone -q", ROOT, whole)
    ask_for_help(whole)
    lab(f"start {tree_of_student}", status=0, most=10)
    size_of_the_tree()
    ask_for_help(tree_of_student)
    installing()
    command = before_anything_is_built()
    os.environ["FIBERSCOPE_LAB"] = str(ROOT / "lab")  # already built
    READY.unlink(missing_ok=True)
    removed = READY.parent / "labs/05_epoll_io/given/removed.cpp.o"  # as of a file of an earlier version
    removed.parent.mkdir(parents=True, exist_ok=True)
    removed.write_text("")
    lab("run 01 nested")  # installs it below build/, once
    expect(not removed.exists(), "objects of an earlier version are removed")
    first_verdicts()
    edits_without_effect()
    beginning_with_a_later_lab(command)
    first_steps()
    with_a_mistake_below()
    output("git checkout -q labs")
    for folder in LABS / "01_switch_asm", LABS / "02_ucontext":
        step_by_step(folder)
        trivially_wrong(folder)
    references()
    os.chdir(ROOT)
end("a fresh tree")
