#!/usr/bin/env python3
"""Runs ./lab check as a student does, in a tree of ./lab start: untouched, a step solved, a crash, a hang, a compile
error, all solved. Checks each answer and its duration."""

import os
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from expect import ROOT, end, expect, lab, output  # noqa: E402

TREE, LAB = ROOT / "build/student", Path("labs/01_switch_asm")
CONTEXT = LAB / "exercise/context.cpp"
SOON = 20  # s: two files are compiled, and each of three tests that hang is stopped twice, after 2 CPU seconds
HANG, CRASH = "int hang = 1; hang != 0", "int* nowhere = nullptr; *nowhere != 0"
ASKED = "info coroutines\nbt\ncoroutine all bt\ninfo sets\n"


def solve(name):
    shutil.copy(ROOT / LAB / "solution" / name, LAB / "exercise" / name)


def in_place(loop):
    """Inserts an infinite loop into the first function of the file."""
    text = (ROOT / LAB / "solution/context.cpp").read_text()
    begin = re.compile(r"^[A-Za-z].*make_context.*\{\n", re.M)
    CONTEXT.write_text(begin.sub(rf"\g<0> for (volatile {loop};) {{\n    }}\n", text, count=1))


def untouched_and_one_step():
    edit = f"edit +{CONTEXT}"
    lab("check 01", "· 1.1 .*not implemented yet", edit, never="✗", status=1)
    solve("context.cpp")
    lab("check 01", status=1)  # builds
    CONTEXT.touch()
    lab("check 01", "· 1.4 .*needs step 1.3 first", "✓ 1.1", "Next: step 1.2", most=SOON)


def hang_and_crash():
    in_place(HANG)  # no test is started after three that hang
    lab("check 01", "did not end within 2 s", "not tried", most=SOON)
    in_place(CRASH)
    lab("check 01", "crashed: SIGSEGV .*null pointer")
    if shutil.which("gdb"):
        in_gdb()
    lab("debug 01 --core nowhere", "^lab: --core: .*nowhere does not exist")


def in_gdb():
    """Debugs the core dump of a crash, and the test itself, in an unfinished lab."""
    Path("build/ask.gdb").write_text(ASKED)
    Path("build/ask_live.gdb").write_text("run\n" + ASKED)
    test = re.search("^1.1 .*", output("build/mine/bin/lab01_tests --names"), re.M)[0]
    answer = lab(f'check 01 "{test}" --core')
    if Path("/proc/sys/kernel/core_pattern").read_text().startswith("core"):
        core = re.search(r"^ *The core: *\./lab debug 01 --core (.*)", answer.said, re.M)
        expect(core and Path(core[1]).stat().st_size, "the report names the command that opens the core dump")
        where = "^#[0-9]+ .*make_context.*context.cpp"
        batch = "-batch -x build/ask.gdb"
        lab(f"debug 01 --core {core and core[1]}", where, r"\* +0 +.*running", FIBERSCOPE_GDB=batch)
    else:
        expect("It left no core dump: the kernel's setting is" in answer.said, "the report gives the reason")
    lab(f'debug 01 "{test}"', "received signal SIGSEGV", r"\* +0 +.*running",
        "^#[0-9]+ .*make_context.*exercise/context.cpp", never="Traceback|Python Exception|internal-error",
        FIBERSCOPE_GDB="-batch -x build/ask_live.gdb")  # fmt: skip


def compile_error():
    with CONTEXT.open("a") as file:
        file.write("not C++\n")
    answer = lab("check 01", f"{CONTEXT} does not compile", never="FAILED|ninja")  # the build tool is not quoted
    expect(len(answer.said.splitlines()) < 40, "a compile error is short")


def solved():
    for file in (ROOT / LAB / "exercise").iterdir():
        solve(file.name)
    recordings = "the same as the reference's: .*ping_pong"
    lab("check 01", "The lab is solved", recordings, never="differs", status=0)
    lab("run 01 --mine", "ping_pong")
    answer = lab("run 01 ping_pong --mine --out build/mine.json")
    expect(answer.said.startswith("build/mine.json\n"), "a run names the recording")
    expect(Path("build/mine.json").stat().st_size, "the recording is there")


shutil.rmtree(TREE, ignore_errors=True)
(ROOT / "build/kit/lib/fiberscope/ready").unlink(missing_ok=True)  # forces the installed files to be renewed
os.chdir(ROOT)
lab(f"start {TREE}", status=0)
os.chdir(TREE)
untouched_and_one_step()
hang_and_crash()
compile_error()
solved()
end("a student's way")
