#!/usr/bin/env python3
"""commands.py pages|bench: runs every command that the pages and the handouts show in a ```sh block, from the tree's
root and without a display; those of `./lab bench`, whose programs take long to compile, only when they are asked for. A
command may end with 0; `./lab check` also with 1 and `--mine` with 77: the lab is not solved here."""

import glob
import os
import re
import sys
import tempfile

from expect import end, expect, output, run

# Not run here: ./lab test itself, and commands that would leave the tree or need a second one.
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
    """Optimising across files takes long: it is done for one lab, and with `long` for all. A benchmark's command must
    work; what it measures is judged elsewhere."""
    preset = "release" if LONG or command.startswith("./lab bench 01") else "default"
    bench = {"BENCHMARK_MIN_TIME": "0.001", "BENCHMARK_REPETITIONS": "1", "BENCHMARK_PRESET": preset}
    status = run(["bash", "-c", command], **bench).status
    allowed = {0} | ({1} if command.startswith("./lab check") else set()) | ({77} if "--mine" in command else set())
    expect(status in allowed, f"{page}: this command ends with status {status}: {command}")


def expect_processes():
    """Each round must be a process of its own. The dynamic linker writes a file for each that starts."""
    with tempfile.TemporaryDirectory() as room:
        bench = ["build/release/bin/lab01_bench", "--benchmark_filter=^(switch|fcontext)$"]
        linker = {"LD_DEBUG": "statistics", "LD_DEBUG_OUTPUT": f"{room}/linked"}
        done = run(bench, BENCHMARK_MIN_TIME="0.001", BENCHMARK_REPETITIONS="3", **linker)
        expect(done.status == 0, f"lab01_bench ends with status {done.status}")
        expect(len(glob.glob(f"{room}/linked.*")) == 4, "three rounds and what starts them are four processes")


before = output("git status --porcelain")
for command, page in commands().items():
    expect_to_work(command, page)
if sys.argv[1] == "bench":
    expect_processes()
expect(output("git status --porcelain") == before, "no command of the documents changes files of the tree")
end("commands of the documents")
