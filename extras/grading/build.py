"""Builds the programs of a submission: the tests and the proofs."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from .errors import Refused, printable
from .setup import PRECOMPILED
from .sandbox import Limits, View

COMPILING = Limits(processor=60, wall=180, memory=3 << 30, file=256 << 20)
LINKING = 120  # s
LINK_LIMITS = ["prlimit", "--cpu=100", "--as=%d" % (4 << 30), "--fsize=%d" % (256 << 20), "--core=0"]
MOST_OF_OBJECT = 8 << 20  # bytes


def prepare(setup, files, place):
    """Writes the files of the submission to `place`; missing ones are copied from the untouched exercise."""
    (place / "objects").mkdir()
    for stub in setup.stubs():
        own = place / stub.relative_to(setup.pristine)
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_bytes(files.get(stub.name) or stub.read_bytes())
    for folder in [place, place / "objects", *(place / "labs").rglob("*/")]:
        folder.chmod(0o755)
    (place / "objects").chmod(0o777)


def compiled(setup, place, sandbox):
    """Compiles the lab's own files in the sandbox. Returns the objects. Raises Refused."""
    return [compile_one(setup, *pair, place, sandbox) for pair in setup.part.compiles.items()]


def view_of(setup, place):
    readable = [(setup.pristine, setup.root)]
    for exercise in (place / "labs").glob("**/exercise"):
        readable.append((exercise, setup.root / exercise.relative_to(place)))
    if (setup.kept / PRECOMPILED).exists():
        readable.append((setup.kept / PRECOMPILED, setup.build / PRECOMPILED))
    return View(readable, [(place / "objects", "/objects")], "/objects")


def compile_one(setup, source, command, place, sandbox):
    name = "%s.%s.%s" % (setup.number, Path(source).parent.name, Path(source).name)
    words = [word for word in with_results_in("/objects/" + name, command) if word != "-Werror"]
    outcome = sandbox.run(words, view_of(setup, place), COMPILING)
    made = place / "objects" / (name + ".o")
    if outcome.why:
        raise Refused("%s: compilation was stopped: %s" % (Path(source).name, outcome.why))
    if outcome.status != 0 or not made.is_file() or made.is_symlink():
        raise Refused("%s does not compile: %s" % (Path(source).name, complaint(outcome.output, setup)))
    if made.stat().st_size > MOST_OF_OBJECT:
        raise Refused("the object of %s is larger than %d MB" % (Path(source).name, MOST_OF_OBJECT >> 20))
    return made


def with_results_in(path, command):
    ends = {"-o": ".o", "-MF": ".d"}
    return [path + ends[before] if before in ends else word for before, word in zip([""] + command, command)]


# Error messages of a compiler, an assembler or a linker; without the summary lines and positions.
COMPLAINT = re.compile(
    r"\b[Ee]rror: |undefined |multiple definition|duplicate symbol|relocation|cannot find|overflow|"
    r"/exercise/.* required from"
)
FRAME = re.compile(r"collect2: |compilation terminated|ld returned|Assembler messages:|: In function |^In file incl")
OBJECT = re.compile(r"\S*/\d\d\.(?:exercise|given)\.(\S+?)\.o\b")
MOST_COMPLAINTS = 3


def complaint(output, setup):
    """The first error messages; file names are relative to the tree, and
    an object as its source."""
    output = OBJECT.sub(r"\1", output.replace(str(setup.root) + "/", ""))
    lines = [line.strip() for line in output.splitlines()]
    lines = [line for line in dict.fromkeys(lines) if line and not FRAME.search(line)]
    found = [line for line in lines if COMPLAINT.search(line)] or lines or ["the compiler printed nothing"]
    return " | ".join(printable(line) for line in found[:MOST_COMPLAINTS])


def link(setup, kind, made, program):
    """`kind`: "tests" or "proof". `made`: the compiled objects. The linker loads no plugin: an object with intermediate
    code would start a compiler here, outside of the sandbox."""
    words = []
    for before, word in zip([""] + setup.links[kind], setup.links[kind]):
        if before == "-o":
            words.append(str(program))
        elif word == setup.part.archive:
            own = [str(setup.kept / one) for one in setup.part.given] + [str(one) for one in made]
            words += [one for one in own if one not in words]
        elif (setup.kept / word).is_file() and word.endswith((".a", ".o")):
            words.append(str(setup.kept / word))
        else:
            words.append(word)
    command = LINK_LIMITS + words + ["-fno-use-linker-plugin"]
    answer = subprocess.run(command, cwd=setup.kept, capture_output=True, text=True, timeout=LINKING)
    if answer.returncode != 0:
        raise Refused("it does not link: %s" % complaint(answer.stderr, setup))
    program.chmod(0o755)
    return program
