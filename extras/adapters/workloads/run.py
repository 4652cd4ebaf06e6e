#!/usr/bin/env python3
"""run.py BUILD [FOLDER]: runs the workloads mixed, fanout and pipeline with lab 04's strategies and with
other libraries, on one machine under the real clock, and compares their results. Writes the recordings into the folder,
and prints a table of figures for each workload. Libraries that are not installed are skipped with a message."""

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "testing"))
from expect import end, expect, output, run, tells, works  # noqa: E402

BUILD, HERE, PYTHON = Path(sys.argv[1]).resolve(), Path(__file__).resolve().parent, "/usr/bin/python3"
STRATEGIES = "producer_consumer", "multi_state", "libco", "sylar", "netco", "go"
COMPILED = (  # the program, the system, Debian's package, a header of it, what it is compiled and linked with
    ("cxx20", "", "", "", "-std=c++20"),
    ("boost_fiber", "Boost.Fiber", "libboost-fiber-dev", "boost/fiber/all.hpp",
     "-std=c++17 -lboost_fiber -lboost_context -pthread"),
    ("state_threads", "State Threads", "libst-dev", "st.h", "-std=c++17 -lst"),
)  # fmt: skip


def is_here(found, what, package):
    if not found:
        print(f"skipped, not installed: {what} (Debian's package {package})")
    return found


def programs():
    """{library: the command that runs a workload}"""
    found = {}
    for name, what, package, header, options in COMPILED:
        compile = f"c++ -O2 -Wno-unused-function -I{work}/usr/include -o {work}/{name} {HERE}/{name}.cpp"
        if is_here(Path("/usr/include", header).exists(), what, package):
            if works(f"{name} compiles", compile, f"-L{library.parent} -lfiberscope_record", options):
                found[name] = [work / name]
    for name in "greenlet", "gevent":
        if is_here(run(PYTHON, "-c", f"'import {name}'").status == 0, name, f"python3-{name}"):
            found[name] = [PYTHON, HERE / "workloads.py", name]
    if is_here(shutil.which("go"), "Go", "golang-go"):
        if works("Go compiles", "go build -o", work / "go", HERE / "workloads.go", GOCACHE=f"{work}/cache"):
            found["go"] = [work / "go"]
    return found


def seeds():
    """The seeds that lab 04's proof passes to the workloads for seed 1."""
    mask, state = 2**64 - 1, 1
    for number in range(6):
        state = state + 0x9E3779B97F4A7C15 & mask
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        if number % 2:
            yield z ^ z >> 31


def try_library(workload, seed, name, command):
    """Runs a workload with and without recording. Returns the recording."""
    what, file = f"{workload} by {name}", out / f"{workload}_{name}.json"
    recorded = work / "go.trace" if name == "go" else file
    for options in [], [recorded]:
        answer = tells(what, [command, [workload, seed, *options]], status=0, limit=60)
        results = re.findall(f"^{workload} .*", proof, re.M)
        expect(results and answer.said.splitlines() == results, f"{what}: the results of lab 04")
    if name == "go":
        importer = work / "usr/share/fiberscope/fiberscope_go.py"
        works(what, PYTHON, importer, recorded, file, "--program", workload)
    works(f"{what}: its recording is valid", BUILD / "bin/fiberscope-trace", "check", file)
    return file


def try_strategy(workload, seed, strategy):
    """Runs a strategy of lab 04. Returns the recording."""
    file = out / f"{workload}_lab04_{strategy}.json"
    options = f"--strategy {strategy} --machines 1 --clock monotonic --seed {seed} --out"
    works(f"{workload} by {strategy}", BUILD / "bin/lab04_demo", workload, options, file)
    return file


with tempfile.TemporaryDirectory() as place:
    work = Path(place)
    out = Path(sys.argv[2]) if len(sys.argv) > 2 else work / "recordings"
    out.mkdir(parents=True, exist_ok=True)
    output("cmake --install", BUILD, "--prefix", work / "usr", "--component record")
    library = next((work / "usr").rglob("libfiberscope_record.so"))
    os.environ.update(LD_LIBRARY_PATH=str(library.parent), FIBERSCOPE_RECORD=str(library))
    os.environ.update(PYTHONPATH=f"{work}/usr/share/fiberscope", PYTHONDONTWRITEBYTECODE="1")
    libraries = programs()
    proof = output(BUILD / "bin/lab04_proof_reference", "producer_consumer 1")
    for workload, seed in zip(("mixed", "fanout", "pipeline"), seeds()):
        files = [try_strategy(workload, seed, strategy) for strategy in STRATEGIES]
        files += [try_library(workload, seed, *library) for library in libraries.items()]
        print(tells(f"the table of {workload}", [BUILD / "bin/fiberscope-trace", "figures", files], status=0).said)
end("workloads")
