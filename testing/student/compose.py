"""Composes a lab whose steps up to one are solved: each file of the solution with the stubs of later steps."""

import re
import shlex
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STUB = re.compile(r'not_implemented\(\s*"(\d+\.\d+)')
ASSEMBLY_STUB = re.compile(r'\.string\s+"(\d+\.\d+) ')


class Trouble(Exception):
    """An error of the test itself."""


def order(step):
    return [int(part) for part in step.split(".")]


def after(step, other):
    return order(step) > order(other)


def steps_of(text):
    """The steps with stubs in a file."""
    return set(STUB.findall(text)) | set(ASSEMBLY_STUB.findall(text))


def definitions(text):
    """The definitions in a file that end with a brace in the first column: (name, from, to)."""
    pieces, begin, name = [], None, ""
    at = 0
    for line in text.splitlines(keepends=True):
        if begin is None and re.match(r"[A-Za-z].*\(", line) and not line.rstrip().endswith(";"):
            begin = at
            name = re.search(r"([\w:~]+)\(", line).group(1)
        at += len(line)
        whole = line.rstrip().endswith("}") and text[begin or 0 : at].count("\n") == 1
        if begin is not None and (whole or line.startswith("}")):
            pieces.append((name, begin, at))
            begin = None
    return pieces


def with_later_stubs(solved, unsolved, through):
    """A function of the solution without the code of later steps."""
    later = [line for line in unsolved.splitlines(keepends=True) if any(after(s, through) for s in steps_of(line))]
    if len(later) < len([line for line in unsolved.splitlines() if steps_of(line)]):
        head, brace, body = solved.partition("{\n")
        return head + brace + "".join(later) + body
    return unsolved


def compose(solution, exercise, through):
    """The solution, with the exercise's code for functions of later steps."""
    stubs = {
        name: exercise[begin:end]
        for name, begin, end in definitions(exercise)
        if any(after(step, through) for step in steps_of(exercise[begin:end]))
    }
    result, at, replaced = '#include "labs/kit/report/report.h"\n', 0, set()
    for name, begin, end in definitions(solution):
        if name in stubs:
            result += solution[at:begin] + with_later_stubs(solution[begin:end], stubs[name], through)
            at = end
            replaced.add(name)
    if replaced != set(stubs):
        raise Trouble(f"the solution has no {', '.join(sorted(set(stubs) - replaced))}")
    return result + solution[at:]


class Lab:
    """A lab whose starter and tests are built in a build directory."""

    def __init__(self, name, build):
        self.name = name
        self.dir = ROOT / "labs" / name
        self.number = name[:2]
        self.build = build
        commands = subprocess.run(
            ["ninja", "-C", build, "-t", "commands", f"lab{self.number}_starter"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        self.link = commands[-1]
        self.compile = {
            Path(words[-1]).name: words
            for words in map(shlex.split, (c for c in commands if f"lab{self.number}_starter.dir/" in c))
            if words[-2] == "-c" and "/exercise/" in words[-1]
        }

    def path(self, kind, file):
        """The path of a file in exercise/ or solution/ (`kind`), of the lab or of one of its challenges."""
        return next(self.dir.glob(f"**/{kind}/{file}"))

    def starter(self, file):
        path = self.path("exercise", file).relative_to(self.dir)
        return f"labs/{self.name}/CMakeFiles/lab{self.number}_starter.dir/{path}.o"

    def object_of(self, file, through):
        """The object of a file in exercise/ with the steps up to `through` solved."""
        solution = self.path("solution", file)
        exercise = self.path("exercise", file).read_text()
        steps = sorted(steps_of(exercise), key=order)
        if not steps or order(steps[0]) > order(through):
            return self.starter(file)
        if order(steps[-1]) <= order(through):
            return f"labs/{self.name}/CMakeFiles/lab{self.number}_objects.dir/{solution.relative_to(self.dir)}.o"
        return self.compiled(file, compose(solution.read_text(), exercise, through), through)

    def compiled(self, file, text, name):
        """The object compiled from `text` instead of exercise/file."""
        folder = self.build / "student" / self.name / name
        folder.mkdir(parents=True, exist_ok=True)
        source = folder / file
        source.write_text(text)
        words = list(self.compile[file])
        words[words.index("-o") + 1] = f"{source}.o"
        words[words.index("-MF") + 1] = f"{source}.o.d"
        words[-1] = str(source)
        words.insert(-2, "-w")
        subprocess.run(words, cwd=self.build, check=True)
        return f"{source}.o"

    def program(self, through, replaced=None, name="", before=""):
        """Links the tests with the steps up to `through` solved. `replaced` maps files to other objects; the
        definitions in the object `before` replace those of the lower labs."""
        folder = self.build / "student" / self.name / (name or through)
        folder.mkdir(parents=True, exist_ok=True)
        link = self.link
        for file in self.compile:
            link = link.replace(self.starter(file), (replaced or {}).get(file) or self.object_of(file, through))
        program = folder / f"lab{self.number}_tests"
        link = link.replace(f"-o bin/lab{self.number}_starter", f"-o {program} {before}")
        subprocess.run(link, cwd=self.build, shell=True, check=True)
        return program
