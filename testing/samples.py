#!/usr/bin/env python3
"""samples.py BUILD: records each demo twice; both recordings must be identical, valid and equal to the sample in git.
Each demo's help must be translated, and each demo must run with all clocks and strategies in its help. Some run under
valgrind, which knows the stacks of all backends (labs/kit/memory/valgrind.h)."""

import re
import shutil
import sys
from pathlib import Path

from expect import end, expect, output, tells, works

build, samples = Path(sys.argv[1]), Path("traces/samples")
out = Path("build/samples")
trace = build / "bin/fiberscope-trace"
BAKERY = "labs/04_scheduler/programs/written/examples/bakery.txt"


def says_it_in_chinese(program, name):
    help_of_demo = output(program, name, "--help", LC_ALL="zh_CN.UTF-8").splitlines()
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


def has(help_of_demo, option):
    return re.search(rf"^ +{option} ", help_of_demo, re.M)


def runs_as_its_help_says(program, name):
    """With each clock, all strategies and 4 machines; a demo without the option must refuse --machines."""
    said = output(program, name, "--help")
    file = ["--file", BAKERY] if has(said, "--file") else []
    every = ["--strategy", "all"] if has(said, "--strategy") else []
    for clock in ("virtual", "monotonic"):
        for path in folder.glob("*.json"):
            path.unlink()
        target = folder if every else folder / "one.json"
        call = [program, name, *file, *every, "--clock", clock, "--out", target]
        if re.search(rf"--clock.*\n?.*\b{clock}\b", said):
            works(f"{name} by the {clock} clock", *call, limit=60)
            works(f"{name} by the {clock} clock: correct", trace, "check", list(folder.glob("*.json")))
        else:
            tells(f"{name} without the {clock} clock", call, f"{name} runs with --clock .* only", status=2)
    call = [program, name, *file, *every, "--machines", "4", "--out", target]
    if has(said, "--machines"):
        works(f"{name} on 4 machines", *call)
    else:
        tells(f"{name} on 4 machines", call, "does not take --machines: its number of machines is fixed", status=2)


def readme_quotes_the_events():
    """The block of trace lines in README.md (a time and a sentence), in the language of the page."""
    for page, language in (("README.md", "C"), ("README.zh.md", "zh_CN.UTF-8")):
        said = output(trace, "events", samples / "01_ping_pong.json", LC_ALL=language)
        for line in re.search(r"^```text\n(.*?)^```", Path(page).read_text(), re.M | re.S)[1].splitlines():
            time, words = line.split("  ", 1)
            expect(re.search(rf" {time} .* {re.escape(words.strip())}$", said, re.M), f"{page}: an event {line!r}")


out.mkdir(parents=True, exist_ok=True)
readme_quotes_the_events()
folder = out / "clocks"
folder.mkdir(exist_ok=True)
UNDER_VALGRIND = (
    ("01_nested", "03_owners_1", "03_states", "04_mixed", "05_clients_go") if shutil.which("valgrind") else ()
)
tried = set()
for program in sorted(build.glob("bin/lab??_demo")):
    for name in re.findall(r"^\S+", output(program, "--list"), re.M):
        file = f"{program.name[3:5]}_{name}.json"
        tried.add(file)
        expect_as_the_sample(program, name, file)
    for name in re.findall(r"^\S+", output(program, "--list-all"), re.M):
        if name != "echo":  # a server until Ctrl-C: testing/echo.py
            runs_as_its_help_says(program, name)
for file in samples.glob("*.json"):
    expect(file.name in tried, f"{file} is a recording of a demo")
for demo in UNDER_VALGRIND:
    program, call = build / f"bin/lab{demo[:2]}_demo", (demo[3:], "--out", out / "valgrind.json")
    works(f"{demo} under valgrind", "valgrind -q --error-exitcode=9", program, *call)
end("samples")
