#!/usr/bin/env python3
"""The stand-in for a student's lab 01 gives nothing away, and does what lab 01 does.

stand_in.py BUILD

Makes a student's tree by ./lab start, disassembles every program and library in it, and looks there for the functions
of lab 01's solution. Builds the stand-in program of the last lab there, from the files as they were given. Then runs
the tests of lab 03 with the stand-in in place of lab 01.
"""

import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from expect import ROOT, end, expect, output, works  # noqa: E402

SHORTEST = 8  # instructions: a shorter function stands anywhere by chance


def instructions(file):
    """The machine code of a file as text: (function, [instructions]), without the addresses that a linker fills in."""
    functions, name = [], None
    for line in output("objdump -d --no-show-raw-insn", file).splitlines():
        if begin := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            functions.append((begin[1], []))
            name = begin[1]
        elif name and (one := re.match(r"\s+[0-9a-f]+:\t(.*)$", line)):
            text = re.sub(r"\s*#.*|<.*>", "", one[1])
            text = re.sub(r"^(call|j\w+)(\s+)[0-9a-f]+", r"\1", text)
            text = re.sub(r"-?0x[0-9a-f]+\(%rip\)", "(%rip)", text).strip()
            if not re.match(r"(nop|xchg\s+%ax,%ax|data16|cs nop)", text):
                functions[-1][1].append(re.sub(r"\s+", " ", text))
    return functions


def secrets(build):
    """The functions of lab 01's solution: name and machine code."""
    found = {}
    for file in sorted((build / "labs/01_switch_asm/CMakeFiles/lab01_objects.dir/solution").glob("*.o")):
        own = {line.split()[-1] for line in output("nm", file).splitlines() if " T " in line or " t " in line}
        own = {name for name in own if not re.match(r"_ZN10fiberscope3kit|.*\.cold$", name)}  # the kit's, a throw's
        found |= {name: code for name, code in instructions(file) if name in own and len(code) >= SHORTEST}
    return found


def is_code(file):
    with open(file, "rb") as opened:
        return opened.read(8).startswith((b"\x7fELF", b"!<arch>"))


def copies(secret, tree):
    """ "FILE: FUNCTION" for each of these functions that stands in a file of the tree."""
    for file in sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink()):
        if not is_code(file):
            continue
        text = "\n".join(line for _, code in instructions(file) for line in code)
        yield from (f"{file.relative_to(tree)}: {name}" for name, code in secret.items() if "\n".join(code) in text)


def build_last(tree):
    """What ./lab check runs a failed test of the last lab with links all others, and what those link of the system."""
    output("cmake --preset default", cwd=tree)
    names = re.findall(r"^(lab\d\d_stand_in): ", output("ninja -C build/default -t targets all", cwd=tree), re.M)
    expect(len(names) == 4, f"each lab that needs another has a stand-in: {names}")
    last = max(names)
    works(f"{last} in a student's tree", "cmake --build build/default --target", last, cwd=tree, limit=None)
    listed = output(tree / "build/default/bin" / last, "--names")
    expect(listed.startswith(f"{int(last[3:5])}."), f"{last} has the tests of its lab", listed)


def main(build):
    tree = build / "started"
    shutil.rmtree(tree, ignore_errors=True)
    works("a student's tree", ROOT / "lab", "start", tree)
    libraries = sorted(path.name for path in (tree / "build/reference").glob("*.a"))
    if not libraries:
        print("there is no stand-in on this machine")
        return
    secret = secrets(build)
    reference = build / "labs/01_switch_asm"
    seen = {line.split(": ")[1] for line in copies(secret, reference) if line.startswith("liblab01.a: ")}
    found = list(copies(secret, tree))
    expect({"_switch", "_switch_float"} <= set(secret), "the switch is among what is looked for")
    expect(seen == set(secret), f"what stands in the solution's library is found there: {sorted(seen)}")
    expect(not found, "functions of the solution stand in a student's tree: " + ", ".join(found))
    expect("liblab01.a" in libraries and "liblab06.a" not in libraries, f"lab 01 has a stand-in: {libraries}")
    build_last(tree)
    shutil.rmtree(tree)
    works("it builds", "cmake --build", build, "--target lab03_on_boost", limit=None)
    call = [build / "bin/grader", "all", "--lab", ROOT / "labs/03_shared_stack", "--traces", build / "traces/on_boost"]
    call += ["--program", build / "bin/lab03_on_boost", "--time", "20"]
    works("lab 03 on Boost.Context", call, limit=None)
    end("the stand-in for lab 01")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
