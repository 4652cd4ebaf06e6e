#!/usr/bin/env python3
"""commands.py pages|bench: runs the commands in the ```sh blocks of the pages and handouts, from the root of the tree
and without a display: those of `./lab bench`, whose programs take long to compile, or all others. Each must exit with
0; `./lab check` may also exit with 1 and `--mine` with 77, because the lab is not solved in this tree."""

import glob
import os
import re
import sys
import tempfile

from expect import end, expect, output, run

# Not run: ./lab test itself, and commands that leave the tree or need a second one.
EXEMPT = re.compile(r"git clone|cd |\./lab test(?! --list)|\$EDITOR")
BLOCK = re.compile(r"^ *```sh *\n(.*?)^ *```", re.M | re.S)
LONG = bool(os.environ.get("long"))


def commands():
    """{command: the page that shows it first}"""
    found = {}
    for page in output("git ls-files '*.md'").splitlines():
        with open(page, encoding="utf-8") as file:
            for block in BLOCK.findall(file.read()):
                for line in block.replace("\\\n", "").splitlines():
                    found.setdefault(re.sub(r"(^| +)#.*$", "", line.strip()), page)
    wanted = [command for command in found if command.startswith("./lab bench") == (sys.argv[1] == "bench")]
    return {command: found[command] for command in wanted if command and not EXEMPT.match(command)}


def expect_to_work(command, page):
    """Link-time optimisation is slow: used for one lab, with `long` for all. Only checks that a benchmark's command
    works, not its measurements."""
    preset = "release" if LONG or command.startswith("./lab bench 01") else "default"
    bench = {"BENCHMARK_MIN_TIME": "0.001", "BENCHMARK_REPETITIONS": "1", "BENCHMARK_PRESET": preset}
    status = run(["bash", "-c", command], **bench).status
    allowed = {0} | ({1} if command.startswith("./lab check") else set()) | ({77} if "--mine" in command else set())
    expect(status in allowed, f"{page}: the command exits with status {status}: {command}")


def expect_processes():
    """Each round must run in its own process. The dynamic linker writes a file for each process."""
    with tempfile.TemporaryDirectory() as room:
        bench = ["build/release/bin/lab01_bench", "--benchmark_filter=^(switch|fcontext)$"]
        linker = {"LD_DEBUG": "statistics", "LD_DEBUG_OUTPUT": f"{room}/linked"}
        done = run(bench, BENCHMARK_MIN_TIME="0.001", BENCHMARK_REPETITIONS="3", **linker)
        expect(done.status == 0, f"lab01_bench exits with status {done.status}")
        expect(len(glob.glob(f"{room}/linked.*")) == 4, "three rounds and their parent are four processes")


before = output("git status --porcelain")
for command, page in commands().items():
    expect_to_work(command, page)
if sys.argv[1] == "bench":
    expect_processes()
expect(output("git status --porcelain") == before, "no command of the documentation changes tracked files")
end("commands of the documentation")
