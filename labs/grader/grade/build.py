"""The files of a submission become a test program."""

import subprocess
from pathlib import Path

from . import objects
from .errors import Refused, Trouble, printable
from .sandbox import Limits, View

COMPILING = Limits(processor=120, wall=300, memory=3 << 30, file=256 << 20)


def program_of(ground, files, place, sandbox):
    """Compiles in the sandbox, looks at the objects, links. Returns the program, below `place`; throws Refused."""
    sources, made = place / "exercise", place / "objects"
    for folder in (sources, made):
        folder.mkdir()
    for name in ground.expected_files():
        stub = ground.pristine / "labs" / ground.lab / "exercise" / name
        if name in files:
            (sources / name).write_bytes(files[name])
        elif stub.exists():
            (sources / name).write_bytes(stub.read_bytes())
    open_for_sandbox(place, sources, made)
    compiled = {}
    for source, command in ground.compiles.items():
        usual = command[command.index("-o") + 1]
        compiled[usual] = compile_one(ground, source, command, place, sandbox)
        objects.check(compiled[usual], ground, ground.build / usual if "/given/" in source else None)
    return link(ground, compiled, place)


def open_for_sandbox(place, sources, made):
    place.chmod(0o755)
    sources.chmod(0o755)
    made.chmod(0o777)


def view_of(ground, place):
    exercise = ground.root / "labs" / ground.lab / "exercise"
    readable = [(ground.pristine, ground.root), (place / "exercise", exercise)]
    once = ground.build / "CMakeFiles" / "standard_headers.dir"
    if once.exists():
        readable.append((once, once))
    return View(readable, [(place / "objects", "/objects")], "/objects")


def compile_one(ground, source, command, place, sandbox):
    name = "%s.%s" % (Path(source).parent.name, Path(source).name)
    words = [
        "/objects/%s.o" % name
        if i and command[i - 1] == "-o"
        else "/objects/%s.d" % name
        if i and command[i - 1] == "-MF"
        else word
        for i, word in enumerate(command)
    ]
    words = [word for word in words if word != "-Werror"]
    if not sandbox.walled:
        words = [word.replace("/objects/", str(place / "objects") + "/") for word in words]
        words = [
            word.replace(str(ground.root / "labs" / ground.lab / "exercise"), str(place / "exercise"))
            for word in words
        ]
    view = view_of(ground, place) if sandbox.walled else View(workdir=str(place / "objects"))
    outcome = sandbox.run(words, view, COMPILING)
    made = place / "objects" / (name + ".o")
    if outcome.why:
        raise Refused("%s: compiling was ended: %s" % (Path(source).name, outcome.why))
    if outcome.status != 0 or not made.is_file() or made.is_symlink():
        raise Refused("%s does not compile: %s" % (Path(source).name, first_error(outcome.output)))
    check_dependencies(ground, place / "objects" / (name + ".d"), place)
    return made


def first_error(output):
    for line in output.splitlines():
        if "error" in line:
            return printable(line)
    return printable(output.strip().splitlines()[0]) if output.strip() else "the compiler says nothing"


def check_dependencies(ground, file, place):
    """What was read while compiling lies in the tree or in the system's folders."""
    if not file.is_file():
        return
    allowed = (str(ground.root), "/usr/", str(place))
    for word in file.read_text(errors="replace").replace("\\\n", " ").split()[1:]:
        if word.startswith("/") and not word.startswith(allowed) or "/solution/" in word:
            raise Refused("%s reads %s" % (file.stem, printable(word)))


def link(ground, compiled, place):
    """`compiled`: by the path that the tree itself gives each object. The tests' and the kit's objects come first, so
    that of an inline function that both have theirs is taken."""
    program = place / "tests"
    archive = "labs/%s/liblab%s.a" % (ground.lab, ground.number)
    rest = [str(ground.build / one) for one in given_objects(ground, archive) if one not in compiled]
    words, before = [], True
    for i, word in enumerate(ground.link):
        if word == archive:
            words += rest + [str(one) for one in compiled.values()]
        elif ground.link[i - 1] == "-o":
            words.append(str(program))
        elif word.endswith((".a", ".o")) and not word.startswith("-"):
            words.append(str(ground.build / word))
        else:
            words.append(word)
    kit = [word for word in words if word.endswith(".a") and ("kit" in word or "testing_session" in word)]
    first = words.index(rest[0] if rest else str(next(iter(compiled.values()))))
    words[first:first] = ["-Wl,--whole-archive"] + kit + ["-Wl,--no-whole-archive"]
    for one in kit:
        words.reverse()
        words.remove(one)
        words.reverse()
    answer = subprocess.run(words, cwd=ground.build, capture_output=True, text=True)
    if answer.returncode != 0:
        raise Refused("it does not link: %s" % first_error(answer.stderr))
    program.chmod(0o755)
    return program


def given_objects(ground, archive):
    """The objects that the lab's own archive is made of."""
    target = "lab%s_tests" % ground.number
    lines = subprocess.run(
        ["ninja", "-C", str(ground.build), "-t", "commands", target], capture_output=True, text=True
    ).stdout
    for line in lines.splitlines():
        if " qc %s " % archive in line:
            return [
                word for word in line.split(" qc %s " % archive)[1].split(" && ")[0].split() if word.endswith(".o")
            ]
    raise Trouble("ninja does not say what %s is made of" % archive)
