#!/usr/bin/env python3
"""Finds tests that pass although their step does nothing (trivially wrong solutions).

trivial.py BUILD [--whole] [LAB…]

Needs labNN_starter and labNN_tests in BUILD. Builds one program for each lab: the solution, in which each function that
a student writes can be made trivial at start-up. FIBERSCOPE_TRIVIAL="6.3 return" makes all functions of step 6.3
return immediately (0, false, null, empty), "6.3 one" return 1 or true, "6.3 throw" throw; other steps are right. Every
test of the step must then fail. "throw", which nearly every test detects, is only tried with --whole. trivial.json
lists the tests that may pass, with the reason; an unnecessary entry is a failure. A third word selects one function:
"6.3 return WheelStore::take". At least one test of the step must detect that.
"""

import json
import platform
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from expect import end, expect, run  # noqa: E402

from compose import ROOT, Lab, Trouble, definitions, order, steps_of

HERE = Path(__file__).resolve().parent
CALL = re.compile(r'(?:kit::)?not_implemented\(\s*("\d+\.\d+").*?"\s*\);', re.S)
RESERVED = re.compile(r"not_written_yet|not_implemented|andq")  # part of the stub of a switch
KINDS = ("return", "one", "throw")
MEANS = {"return": "return", "one": "return one", "throw": "throw"}
HANGS_AFTER = "0.3"  # CPU seconds, after which a test counts as failed
WORKERS = 6


def result_of(function, name):
    """The return type of a definition; empty for a constructor or a destructor."""
    head = function[: function.index(name + "(")].strip()
    return re.sub(r"\b(static|inline|constexpr)\b|\[\[.*?\]\]", "", head).strip()


def with_choice(solution, exercise, name):
    """The solution's function, with code that checks first whether the environment makes it trivial."""
    returns = result_of(solution, name)
    give = "return" if returns in ("", "void") else f"return ::fiberscope_trivial::value<{returns}>(kind - 1)"

    def choice(match):
        return (
            f'if (const int kind = ::fiberscope_trivial::kind_of({match.group(1)}, "{name}"); kind == 3) '
            f'throw ::fiberscope_trivial::Wrong(); else if (kind > 0) {{ {give}; }}'
        )

    stub = CALL.sub(choice, exercise[exercise.index("{") :])
    kinds = (f'::fiberscope_trivial::kind_of("{step}", "{name}")' for step in sorted(steps_of(exercise)))
    any_of = " || ".join(f"{kind} > 0" for kind in kinds)
    head, brace, body = solution.partition("{")
    return f"{head}{brace} if ({any_of}) {stub} {body}"


class Trivial:
    def __init__(self, name, build, kinds):
        self.lab = Lab(name, build)
        self.build = build
        self.tried = kinds
        self.functions = []  # (step, function, return type)
        self.allowed = {}  # {test or function: kinds that need not be detected}
        for exception in json.loads((HERE / "trivial.json").read_text()):
            if exception["lab"] == name:
                self.allowed |= {what: set(exception["kinds"]) for what in exception["pass"]}
        self.folder = build / "student" / name / "trivial"

    def object_of(self, file):
        exercise = self.lab.path("exercise", file).read_text()
        solution = self.lab.path("solution", file).read_text()
        stubs = {name: exercise[b:e] for name, b, e in definitions(exercise) if steps_of(exercise[b:e])}
        result, at = '#include "testing/student/trivial.h"\n#line 1\n', 0
        for name, begin, end in definitions(solution):
            if name not in stubs:
                continue
            result += solution[at:begin] + with_choice(solution[begin:end], stubs[name], name)
            at = end
            for step in steps_of(stubs[name]):
                self.functions.append((step, name, result_of(solution[begin:end], name)))
        return self.lab.compiled(file, result + solution[at:], "trivial")

    def switches(self):
        """The assembly of a step that returns immediately: (step, file, text)."""
        for file in self.lab.compile:
            if file.endswith(f"_{platform.machine()}.S"):
                text = self.lab.path("exercise", file).read_text()
                lines = [line for line in text.splitlines(keepends=True) if not RESERVED.search(line)]
                yield sorted(steps_of(text))[0], file, "".join(lines)

    def program(self):
        files = [file for file in self.lab.compile if file.endswith(".cpp")]
        with ThreadPoolExecutor(2) as pool:
            objects = dict(zip(files, pool.map(self.object_of, files)))
        last = json.loads((self.lab.dir / "steps.json").read_text())[-1]["step"]
        return self.lab.program(last, objects, "trivial")

    def results(self, mode, program, step, kind, parallel):
        """{test of the step: how it ends}, by the grader; `kind` may name a function too."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.folder) as place:  # separate: the same tests run in parallel
            report = Path(place) / "report.json"
            command = [self.build / "bin/grader", mode, "--lab", self.lab.dir, "--program", program, "--only", step]
            command += ["--time", HANGS_AFTER, "--traces", place, "--json", report, "--parallel", parallel]
            if run(command, cwd=place, limit=None, FIBERSCOPE_TRIVIAL=f"{step} {kind}").status not in (0, 1):
                raise Trouble(f"the grader cannot run the tests of step {step}")
            return {test["name"]: test["result"] for test in json.loads(report.read_text())["tests"]}

    def try_step(self, program, step, kind):
        """Every test of the step on a step that is trivially wrong as a whole."""
        for test, result in self.results("all", program, step, kind, str(WORKERS)).items():
            may_pass = kind in self.allowed.get(test, ())
            words = f'"{test}" passes although all functions of step {step} just {MEANS[kind]}'
            expect(result != "passed" or may_pass, words, "")
            words = f'"{test}" fails if the functions of step {step} just {MEANS[kind]}: remove it from trivial.json'
            expect(result in ("passed", "hung") or not may_pass, words, "")

    def try_function(self, program, step, function, kind):
        """One trivially wrong function must be noticed by a test of its step."""
        results = self.results("check", program, step, f"{kind} {function}", "1")  # which ends after three that hang
        words = f"no test of step {step} notices that all that {function} does is to {MEANS[kind]}"
        expect(set(results.values()) - {"left out"} != {"passed"} or kind in self.allowed.get(function, ()), words, "")

    def all(self):
        program = self.program()
        for step in sorted({step for step, _, _ in self.functions}, key=order):
            functions = [(name, returns) for s, name, returns in self.functions if s == step]
            for kind in self.kinds(returns for _, returns in functions):
                self.try_step(program, step, kind)
            chosen = [(name, kind) for name, returns in functions for kind in self.kinds([returns])]
            chosen = [(name, kind) for name, kind in chosen if kind != "throw"]  # any test detects that
            if len(functions) > 1:
                with ThreadPoolExecutor(WORKERS) as pool:
                    list(pool.map(lambda c: self.try_function(program, step, *c), chosen))
        for step, file, text in self.switches():
            replaced = {file: self.lab.compiled(file, text, f"trivial-{step}")}
            last = json.loads((self.lab.dir / "steps.json").read_text())[-1]["step"]
            self.try_step(self.lab.program(last, replaced, f"trivial-{step}"), step, "return")

    def kinds(self, returns):
        """The kinds for a function: other values than an empty one only if it returns a value."""
        returns = list(returns)
        return [kind for kind in self.tried if kind != "one" or any(r not in ("", "void") for r in returns)]


def main(build, *words):
    build = Path(build).resolve()
    kinds = KINDS if "--whole" in words else [kind for kind in KINDS if kind != "throw"]
    labs = [word for word in words if not word.startswith("--")]
    labs = labs or sorted(path.name for path in (ROOT / "labs").glob("[0-9][0-9]_*"))
    for lab in labs:
        Trivial(lab, build, kinds).all()
    end("trivially wrong")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (Trouble, subprocess.CalledProcessError) as trouble:
        print(trouble, file=sys.stderr)
        sys.exit(2)
