"""Determines which parts of a lab are written, from the stubs in exercise/; and restores given files. See steps.py."""

import os
import re
import shutil
import sys
import time
from pathlib import Path

import plan

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z)|\s+)|"(?:\\.|[^"\\])*"?|(?<![0-9A-Fa-f])'(?:\\.|[^'\\])*'?|.""", re.S
)
STUB, IN_ASSEMBLY = re.compile(r'"(\d+\.\d+)'), re.compile(r'fiberscope_not_implemented.*"(\d+\.\d+)', re.S)


def stubs_in(text):
    """(step, code) of each stub in a file of exercise/. The code is the block that contains the stub, without comments
    and blanks: while it equals the given one, nothing is written there. For assembly it is the whole file."""
    found, code, begins, open_stubs = [], "", [], []
    for token in TOKEN.finditer(text):
        if token["comment"]:
            continue
        step = STUB.match(token[0])
        if step and code.endswith("not_implemented("):
            open_stubs.append((len(code), step[1]))
        code += token[0]
        if token[0] == "{":
            begins.append(len(code))
        elif token[0] == "}" and begins:
            begin = begins.pop()
            while open_stubs and open_stubs[-1][0] >= begin:
                found.append((open_stubs.pop()[1], code[begin:]))
    in_assembly = IN_ASSEMBLY.search(code)
    return found + ([(in_assembly[1], code)] if in_assembly else [])


def given(path):
    """The file as given; None if the student has added it."""
    file = plan.template / path.relative_to(plan.root)
    return file.read_bytes() if file.is_file() else None


def count_stubs(lab):
    """{step: [given, left]}: number of stubs in the given file, and how many are unchanged."""
    counts = {}
    for file in lab.files():
        left = stubs_in(file.read_text(encoding="utf-8", errors="replace"))
        for stub in stubs_in((given(file) or b"").decode()):
            count = counts.setdefault(stub[0], [0, 0])
            count[0] += 1
            count[1] += stub in left
    return counts


# ---- the lists of files that student_labs.cmake compiles


def write_own():
    complete, unfinished = [], []
    for lab in plan.labs():
        for file in lab.files():
            text = file.read_bytes()
            if text == given(file):
                continue
            left = {step for step, _ in stubs_in(text.decode(errors="replace"))}
            (unfinished if left & set(lab.mandatory()) else complete).append(str(file.relative_to(plan.root)))
    lists = {"complete": complete, "unfinished": unfinished}
    text = "".join(
        f"set(fiberscope_{name}" + "".join(f'\n  "{file}"' for file in files) + ")\n" for name, files in lists.items()
    )
    out = plan.root / "build" / "own.cmake"
    if not out.is_file() or out.read_text() != text:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text)


def warn_of_edits(lab):
    """Warns that edits of precompiled files have no effect, except in the sources themselves."""
    if plan.root == plan.home:
        return
    for path in sorted(lab.directory.rglob("*")):
        is_code = path.suffix in (".h", ".cpp", ".S") and path.parent.name != "exercise"
        if is_code and path.read_bytes() != given(path):
            print(
                plan.phrase("lab: edits of {0} have no effect: it is precompiled", path.relative_to(plan.root)),
                file=sys.stderr,
            )


def first_missing_below(lab):
    """The first required step of another lab that is not written, with that lab."""
    counts = {}
    for step in dict.fromkeys(need for entry in lab.steps for need in entry.get("needs", [])):
        below = plan.lab_named(step.split(".")[0], "check")
        if int(below.number) <= plan.solved_through():
            continue
        if below.name not in counts:
            counts[below.name] = count_stubs(below)
        if counts[below.name].get(step, [0, 0])[1] > 0:
            return below, step
    return None, None


def tell_each(label, entry, key, lab):
    named = entry.get(key, [])
    for value in [named] if isinstance(named, str) else named:
        value = value.replace("{arch}", os.uname().machine)
        chinese = re.sub(r"\.md\b", ".zh.md", value)
        if plan.language == "zh" and (lab.directory / chinese.split("#")[0]).exists():
            value = chinese
        print(f"  {plan.phrase(label)}  labs/{lab.name}/{value}")


def tell_unwritten(lab, untouched, only):
    print(plan.phrase("Lab {0}, your files in exercise/", lab.name) + "\n")
    open_steps = [step for step in lab.steps if step["step"] in untouched]
    for step in open_steps:
        if only in ("", step["step"]):
            row = "%s  %s" % (step["step"], lab.says(step["title"]))
            if step.get("challenge"):
                row += " " + plan.phrase("(challenge)")
            print("  · " + row + " " * max(1, 60 - sum(map(plan.wide, row))) + plan.phrase("not implemented yet"))
    print("\n" + plan.phrase("Next: step {0}, {1}", open_steps[0]["step"], lab.says(open_steps[0]["title"])))
    tell_each("read", open_steps[0], "read", lab)
    tell_each("edit", open_steps[0], "file", lab)
    print(f"  {plan.phrase('type')}  ./lab check {lab.number}")
    sys.exit(1)


def refuse_missing_files(lab):
    missing = [path for path in lab.files_of_steps() if not path.is_file()]
    for path in missing:
        name = path.relative_to(plan.root)
        print(
            plan.phrase("lab: {0} is missing; to restore it: ./lab reset {1} {2}", name, lab.number, path.name),
            file=sys.stderr,
        )
    if missing:
        sys.exit(2)


def unwritten(number, step=""):
    lab = plan.lab_named(number, "check")
    refuse_missing_files(lab)
    warn_of_edits(lab)
    write_own()
    # The sources themselves have the reference of all labs.
    below, missing = first_missing_below(lab) if plan.root != plan.home else (None, None)
    if below:
        print(
            plan.phrase(
                "Lab {0} depends on lab {1}, which is not solved: its step {2} is open.",
                lab.number,
                below.number,
                missing,
            )
        )
        print(
            plan.phrase(
                "To begin with lab {0} now, with the labs below it solved for you, type: ./lab start --from {0}",
                lab.number,
            )
        )
        sys.exit(1)
    if step and not re.fullmatch(r"\d+\.\d+", step):
        return
    untouched = sorted((s for s, (given, left) in count_stubs(lab).items() if given == left), key=in_order)
    if step and step in untouched:
        tell_unwritten(lab, untouched[: untouched.index(step) + 1], step)  # without later stubs
    if not step and untouched and len(untouched) == len(lab.steps):
        lab.report.unlink(missing_ok=True)  # results for the lab before are outdated
        tell_unwritten(lab, untouched, "")


def in_order(step):
    return [int(part) for part in step.split(".")]


# ---- files as originally given


def keep(path):
    kept = path.with_name(path.name + time.strftime(".kept-%Y%m%d-%H%M%S"))
    shutil.copy2(path, kept)
    return kept


def files_of_exercise(lab):
    """The files in exercise/, without the saved copies."""
    there = {path.name for path in lab.directory.glob("**/exercise/*") if ".kept-" not in path.name}
    return sorted(there | {path.name for path in lab.files_of_steps()})


def reset(number="", file=""):
    lab = plan.lab_named(number, "reset")
    if not file:
        plan.die("lab: missing FILE (usage: ./lab reset {0} context.cpp)", lab.number)
    own = lab.directory / "exercise" / Path(file).name
    path = next((path for path in lab.files_of_steps() if path.name == own.name), own)
    name = str(path.relative_to(plan.root))
    if not path.is_file() and path not in lab.files_of_steps():
        plan.die("lab: {0} does not exist; there are: {1}", name, " ".join(files_of_exercise(lab)))
    text = given(path)
    if text is None:
        plan.die("lab: {0} is your own file; there is no original", name)
    kept = keep(path) if path.is_file() else None
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text)
    if kept is None:
        print(plan.phrase("{0} is restored", name))
        return
    print(plan.phrase("{0} is restored; your version is in {1}", name, kept.relative_to(plan.root)))


def begin(option="", number="", *more):
    if option != "--from" or not number or more:
        plan.die("lab: in a student's tree ./lab start takes the lab to begin with, as in: ./lab start --from 04")
    lab = plan.lab_named(number, "start")
    if int(lab.number) > plan.solved_through() + 1:
        (plan.root / "labs" / "solved_through").write_text(f"{int(lab.number) - 1}\n")
    for below in plan.labs():
        if below.number < lab.number:
            below.report.unlink(missing_ok=True)  # ./lab progress continues with this lab
    print(plan.phrase("The labs below lab {0} come solved, except where you have written your own code.", lab.number))
    print(plan.phrase("Type ./lab check {0}", lab.number))
