"""The files of a submission become its programs: the tests, the proofs, and the tests on its own earlier labs."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from . import objects
from .errors import Refused, printable
from .ground import PRECOMPILED
from .sandbox import Limits, View

COMPILING = Limits(processor=60, wall=180, memory=3 << 30, file=256 << 20)
LINKING = 120  # s


def prepare(ground, files, place, sandbox):
    """Writes the files of the submission below `place`: where it brings none, the untouched one."""
    (place / "objects").mkdir()
    for lab in [ground.lab] + ground.below():
        folder = place / "labs" / lab / "exercise"
        folder.mkdir(parents=True)
        for stub in (ground.pristine / "labs" / lab / "exercise").iterdir():
            (folder / stub.name).write_bytes(files.get(lab, {}).get(stub.name) or stub.read_bytes())
    for folder in [place, place / "objects", *(place / "labs").rglob("*/")]:
        folder.chmod(0o755)
    (place / "objects").chmod(0o777)
    if not sandbox.walled:
        copy_tree(ground, place)


def compiled_part(ground, part, place, sandbox):
    """Compiles a lab's own files in the sandbox, and looks at the objects. Throws Refused."""
    made = []
    for source, command in part.compiles.items():
        usual = ground.kept / command[command.index("-o") + 1]
        made.append(compile_one(ground, part, source, command, place, sandbox))
        objects.check(made[-1], part, usual if "/given/" in source else None)
    return made


def view_of(ground, place):
    readable = [(ground.pristine, ground.root)]
    for folder in (place / "labs").iterdir():
        readable.append((folder / "exercise", ground.root / "labs" / folder.name / "exercise"))
    if (ground.kept / PRECOMPILED).exists():
        readable.append((ground.kept / PRECOMPILED, ground.build / PRECOMPILED))
    return View(readable, [(place / "objects", "/objects")], "/objects")


def compile_one(ground, part, source, command, place, sandbox):
    name = "%s.%s.%s" % (part.number, Path(source).parent.name, Path(source).name)
    words = [word for word in with_results_in("/objects/" + name, command) if word != "-Werror"]
    if not sandbox.walled:
        words = [word.replace("/objects/", str(place / "objects") + "/") for word in words]
        words = [in_copied_tree(word, ground, place) for word in words]
    view = view_of(ground, place) if sandbox.walled else View(workdir=str(place / "objects"))
    outcome = sandbox.run(words, view, COMPILING)
    made = place / "objects" / (name + ".o")
    if outcome.why:
        raise Refused("%s: compiling was ended: %s" % (Path(source).name, outcome.why))
    if outcome.status != 0 or not made.is_file() or made.is_symlink():
        raise Refused("%s does not compile: %s" % (Path(source).name, complaint(outcome.output, ground)))
    check_dependencies(ground, place / "objects" / (name + ".d"), place)
    return made


def with_results_in(path, command):
    ends = {"-o": ".o", "-MF": ".d"}
    return [path + ends[before] if before in ends else word for before, word in zip([""] + command, command)]


def copy_tree(ground, place):
    """Where nothing can be put in its place: a tree of this submission's own, in which no solution is either."""
    tree = place / "tree"
    shutil.copytree(ground.pristine, tree, copy_function=os.link)
    for folder in (place / "labs").iterdir():
        exercise = tree / "labs" / folder.name / "exercise"
        shutil.rmtree(exercise)
        exercise.symlink_to(folder / "exercise")


def in_copied_tree(word, ground, place):
    parts = word.split(str(ground.build) + "/")  # headers that are read once
    return (str(ground.kept) + "/").join(part.replace(str(ground.root), str(place / "tree")) for part in parts)


# What a compiler, an assembler or a linker complains of; not that it has stopped, and not where it stands.
COMPLAINT = re.compile(
    r"\b[Ee]rror: |undefined |multiple definition|duplicate symbol|relocation|cannot find|overflow|"
    r"/exercise/.* required from"
)
FRAME = re.compile(r"collect2: |compilation terminated|ld returned|Assembler messages:|: In function |^In file incl")
OBJECT = re.compile(r"\S*/\d\d\.(?:exercise|given)\.(\S+?)\.o\b")
MOST_COMPLAINTS = 3


def complaint(output, ground):
    """The first lines in which it says what is wrong, in its own words; files are named from the top of the tree, and
    an object as its source."""
    output = OBJECT.sub(r"\1", output.replace(str(ground.root) + "/", ""))
    lines = [line.strip() for line in output.splitlines()]
    lines = [line for line in dict.fromkeys(lines) if line and not FRAME.search(line)]
    found = [line for line in lines if COMPLAINT.search(line)] or lines or ["the compiler says nothing"]
    return " | ".join(printable(line) for line in found[:MOST_COMPLAINTS])


def check_dependencies(ground, file, place):
    """What was read while compiling lies in the tree or in the system's folders."""
    if not file.is_file():
        return
    allowed = (str(ground.root), "/usr/", str(place), str(ground.kept / PRECOMPILED))
    for word in file.read_text(errors="replace").replace("\\\n", " ").split()[1:]:
        if word.startswith("/") and not word.startswith(allowed) or "/solution/" in word:
            raise Refused("%s reads %s" % (file.stem, printable(word)))


def link(ground, kind, parts, program):
    """`kind`: "tests" or "proof". `parts`: {Part: its compiled objects}. The tests' and the kit's objects come first,
    so that of an inline function that both have theirs is taken."""
    own = {part.archive: (part, made) for part, made in parts.items()}
    own |= {
        part.archive.replace(".a", "_reference.a"): (part, made)
        for part, made in parts.items()
        if part.lab != ground.lab
    }
    words, students = [], []
    for before, word in zip([""] + ground.links[kind], ground.links[kind]):
        if before == "-o":
            words.append(str(program))
        elif word in own:
            part, made = own[word]
            if students and str(made[0]) in students:
                continue
            once = [] if students else [str(ground.futex)]
            added = [str(ground.kept / one) for one in part.given] + [str(one) for one in made] + once
            students += added
            words += added
        elif word.endswith((".a", ".o")) and not word.startswith("-"):
            words.append(str(ground.kept / word) if (ground.kept / word).exists() else word)
        else:
            words.append(word)
    answer = subprocess.run(
        kit_first(words, students), cwd=ground.kept, capture_output=True, text=True, timeout=LINKING
    )
    if answer.returncode != 0:
        raise Refused("it does not link: %s" % complaint(answer.stderr, ground))
    program.chmod(0o755)
    return program


def kit_first(words, students):
    kit = [word for word in words if word.endswith(".a") and "kit" in word]
    kit = list(dict.fromkeys(kit))
    rest = [word for word in words if word not in kit]
    first = rest.index(students[0])
    return rest[:first] + ["-Wl,--whole-archive"] + kit + ["-Wl,--no-whole-archive"] + rest[first:]
