#!/usr/bin/env python3
"""samples.py BUILD: each demo, recorded twice, is the same to the byte, correct, and as the sample in git says; and its
help is Chinese in each line that says something. Some run under valgrind, which knows the stacks of every backend
(labs/kit/memory/valgrind.h): it finds no error."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

build, samples = Path(sys.argv[1]), Path("traces/samples")
out = Path("build/samples")
trace, speak = build / "bin/fiberscope-trace", build / "bin/speak"


def said(*command, **environment):
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}).stdout


def works(*command):
    call = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if call.returncode != 0:
        print(*command, "\n", call.stdout)
    return call.returncode == 0


def says_it_in_chinese(program, name):
    help_of_demo = said(speak, program, name, "--help", LC_ALL="zh_CN.UTF-8").splitlines()
    english = [line for line in help_of_demo if line.isascii() and re.search("[a-z]", line)]
    print("".join(f"{name} --help: {line}\n" for line in english), end="")
    return not english


def is_as_the_sample(program, name, file):
    again = out / "again.json"
    return (
        works(program, name, "--out", out / file)
        and works(program, name, "--out", again)
        and works("cmp", out / file, again)
        and says_it_in_chinese(program, name)
        and works(trace, "check", out / file)
        and works(trace, "compare", samples / file, out / file)
    )


out.mkdir(parents=True, exist_ok=True)
UNDER_VALGRIND = (
    ("01_nested", "03_owners_1", "03_states", "04_mixed", "05_clients_go") if shutil.which("valgrind") else ()
)
results = {file.name: False for file in samples.glob("*.json")}  # what is no demo's recording
for program in sorted(build.glob("bin/lab??_demo")):
    for line in said(program, "--list").splitlines():
        file = f"{program.name[3:5]}_{line.split()[0]}.json"
        results[file] = is_as_the_sample(program, line.split()[0], file)
for demo in UNDER_VALGRIND:
    program, call = build / f"bin/lab{demo[:2]}_demo", (demo[3:], "--out", out / "valgrind.json")
    results[f"{demo} under valgrind"] = works("valgrind", "-q", "--error-exitcode=9", program, *call)
for file, right in sorted(results.items()):
    if not right:
        print(f"✗ {file}")
print(f"samples: {sum(results.values())} passed, {sum(not right for right in results.values())} failed")
sys.exit(not all(results.values()))
