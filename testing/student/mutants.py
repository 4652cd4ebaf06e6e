#!/usr/bin/env python3
"""Builds the wrong solutions of mutants.json: the test program of a lab with one mistake in the solution.

mutants.py BUILD LAB [NAME…]

Needs labNN_starter and labNN_tests in BUILD. Builds BUILD/bin/mutants/labNN_mutant_NAME, for all mutants if none is
named, and prints the paths. Skips mutants in the assembly of other architectures.
"""

import json
import os
import platform
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from compose import ROOT, Lab, Trouble
from together import together

KEYS = ("name", "file", "find", "replace", "killed_by", "lesson")


def read(folder):
    """The mutants of a lab for this architecture, each with the name of its file in solution/."""
    path, names, mutants = folder / "mutants.json", set(), []
    for mutant in json.loads(path.read_text()):
        mutant["file"] = os.path.basename(mutant["file"])
        name, text = mutant["name"], next(folder.glob(f"**/solution/{mutant['file']}")).read_text()
        if not all(key in mutant for key in KEYS) or not mutant["lesson"]:
            raise Trouble(f"{path}: mutant {name} needs {', '.join(KEYS)}")
        if name in names:
            raise Trouble(f"{path}: two mutants are named {name}")
        if text.count(mutant["find"]) != 1:  # the mutant does not match the source
            raise Trouble(f"{path}: the text of mutant {name} must occur exactly once in {mutant['file']}")
        names.add(name)
        if not mutant["file"].endswith(".S") or mutant["file"].endswith(f"_{platform.machine()}.S"):
            mutants.append(mutant)
    return mutants


class Objects:
    """The compiled files of some mutants of a lab."""

    def __init__(self, lab, mutants):
        self.lab = lab
        self.shared = {}  # {file: object of all mutants that can share one}
        self.alone = {}  # {name: object of a mutant that needs a separate program}
        by_file = {}
        for mutant in mutants:
            by_file.setdefault(mutant["file"], []).append(mutant)
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda item: self.make(*item), by_file.items()))

    def make(self, file, mutants):
        text, held = self.lab.path("solution", file).read_text(), []
        if file.endswith(".cpp"):
            shared, held = together(text, mutants)
            if held:
                self.shared[file] = self.lab.compiled(file, shared, "mutants")
        for mutant in mutants:
            if mutant not in held:
                wrong = text.replace(mutant["find"], mutant["replace"])
                self.alone[mutant["name"]] = self.lab.compiled(file, wrong, mutant["name"])

    def of(self, mutant):
        """The object with the mistake. A shared object selects it by the program's name, which ends in _mutant_NAME."""
        return self.alone.get(mutant["name"]) or self.shared[mutant["file"]]


def programs(lab, mutants):
    """{mutant's name: path of its program}"""
    objects = Objects(lab, mutants)
    last = json.loads((lab.dir / "steps.json").read_text())[-1]["step"]
    shared = lab.program(last, objects.shared, "mutants") if objects.shared else None
    made = {}
    for mutant in mutants:
        name, program = mutant["name"], shared
        if name in objects.alone:
            program = lab.program(last, {mutant["file"]: objects.alone[name]}, name)
        made[name] = link(lab, name, program)
    return made


def link(lab, name, program):
    """The path of the program; its name selects the mutant."""
    path = lab.build / "bin" / "mutants" / f"lab{lab.number}_mutant_{name}"
    path.parent.mkdir(exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    beside.symlink_to(program)
    beside.replace(path)  # atomic: another part may be starting it
    return path


def main(build, name, *names):
    lab = Lab(name, Path(build).resolve())
    mutants = read(lab.dir)
    if unknown := set(names) - {mutant["name"] for mutant in mutants}:
        raise Trouble(f"lab {lab.number} has no mutant {', '.join(sorted(unknown))}")
    chosen = [mutant for mutant in mutants if not names or mutant["name"] in names]
    for path in programs(lab, chosen).values():
        print(os.path.relpath(path, ROOT))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except (Trouble, subprocess.CalledProcessError) as trouble:
        print(trouble, file=sys.stderr)
        sys.exit(2)
