#!/usr/bin/env python3
"""samples.py BUILD: each demo, recorded twice, is the same to the byte, correct, and as the sample in git says; and its
help is Chinese in each line that says something. Some run under valgrind, which knows the stacks of every backend
(labs/kit/memory/valgrind.h): it finds no error."""

import re
import shutil
import sys
from pathlib import Path

from expect import end, expect, output, works

build, samples = Path(sys.argv[1]), Path("traces/samples")
out = Path("build/samples")
trace, speak = build / "bin/fiberscope-trace", build / "bin/speak"


def says_it_in_chinese(program, name):
    help_of_demo = output(speak, program, name, "--help", LC_ALL="zh_CN.UTF-8").splitlines()
    english = [line for line in help_of_demo if line.isascii() and re.search("[a-z]", line)]
    expect(not english, f"{name} --help: {english}")


def expect_as_the_sample(program, name, file):
    again = out / "again.json"
    for words in (
        (program, name, "--out", out / file),
        (program, name, "--out", again),
        ("cmp", out / file, again),
        (trace, "check", out / file),
        (trace, "compare", samples / file, out / file),
    ):
        if not works(file, *words):
            return
    says_it_in_chinese(program, name)


out.mkdir(parents=True, exist_ok=True)
UNDER_VALGRIND = (
    ("01_nested", "03_owners_1", "03_states", "04_mixed", "05_clients_go") if shutil.which("valgrind") else ()
)
tried = set()
for program in sorted(build.glob("bin/lab??_demo")):
    for name in re.findall(r"^\S+", output(program, "--list"), re.M):
        file = f"{program.name[3:5]}_{name}.json"
        tried.add(file)
        expect_as_the_sample(program, name, file)
for file in samples.glob("*.json"):
    expect(file.name in tried, f"{file} is a recording of a demo")
for demo in UNDER_VALGRIND:
    program, call = build / f"bin/lab{demo[:2]}_demo", (demo[3:], "--out", out / "valgrind.json")
    works(f"{demo} under valgrind", "valgrind -q --error-exitcode=9", program, *call)
end("samples")
