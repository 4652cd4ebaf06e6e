#!/usr/bin/env python3
"""A scripted student: checks every step of a lab with the stub, the listed mistakes and the right solution.

steps.py BUILD [--right-only | --whole] LAB…

Needs labNN_starter and labNN_tests in BUILD. For a mistake of mutants.json only the test that finds it is run; with
--whole all tests of its step. --right-only skips the mistakes. All steps together are checked by testing/right.py, and
here with either option. Lab 04 uses the student's own lab 01, so its tests must also detect each listed mistake of the
switch, resume and yield.
"""

import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from expect import end, expect, run  # noqa: E402

from compose import ROOT, Lab, Trouble, compose, order, steps_of
from mutants import Objects, programs, read
from together import together

HANGS_AFTER, PATIENT = "0.25", "10"  # CPU seconds
MOST_RECORDED = "4194304"  # bytes; limits the recording of a test that hangs


def says_so(answer, sentence):
    """Whether the sentence is in the answer, regardless of line breaks."""
    return " ".join(sentence.split()) in " ".join(answer.split())


class Student:
    def __init__(self, name, build, whole):
        self.lab = Lab(name, build)
        self.whole = whole
        self.build = build
        self.steps = json.loads((self.lab.dir / "steps.json").read_text())
        self.seconds = []

    def check(self, program, *options):
        """Runs the grader as ./lab check does, on a program that is already built: (status, output)."""
        begin = time.monotonic()
        call = [self.build / "bin/grader", "check", "--lab", f"labs/{self.lab.name}", "--program", program]
        call += ["--traces", self.build / "traces/student", "--language", "en", *options]
        done = run(call, limit=None, LC_ALL="C.UTF-8", FIBERSCOPE_TRACE_LIMIT=MOST_RECORDED)
        self.seconds.append((time.monotonic() - begin, f"{Path(program).parent.name}/{Path(program).name}"))
        return done.status, done.said

    def expect(self, what, holds, answer):
        expect(holds, f"lab {self.lab.number}, {what}", answer)

    def solved_through(self, index):
        """With the steps up to this one solved: they are reported as solved, none as failed, and the next is named."""
        number = self.steps[index]["step"]
        status, answer = self.check(self.lab.program(number))
        solved = set(re.findall(r"^  ✓ (\S+)", answer, re.M))
        wanted = {step["step"] for step in self.steps[: index + 1]}
        what = f"right up to {number}"
        self.expect(f"{what}: these steps are solved", wanted <= solved, answer)
        self.expect(f"{what}: no step is reported as failed", "✗" not in answer, answer)
        following = [s for s in self.steps[index + 1 :] if s["step"] not in solved]
        if following:
            mandatory = [s for s in following if not s.get("optional") and not s.get("challenge")]
            after = (mandatory or following)[0]
            word = "Next" if mandatory else "Optional"
            self.expect(f"{what}: the next step is named", f"{word}: step {after['step']}, " in answer, answer)
            self.expect(f"{what}: its files are named", self.names_file(answer, after, None), answer)
        else:
            self.expect(f"{what}: the lab is solved", status == 0 and "The lab is solved." in answer, answer)

    @staticmethod
    def files(step):
        files = [step["file"]] if isinstance(step["file"], str) else step["file"]
        return [os.path.basename(file).split("{arch}")[0] for file in files]

    def names_file(self, answer, step, file):
        """Whether the answer names all files of the step, and `file`."""
        named = re.findall(r"^  (?:edit|or  )  .*?([^/\s]+)$", answer, re.M)
        if not all(any(name.startswith(f) for name in named) for f in self.files(step)):
            return False
        return file is None or file in named

    def mistake(self, mutant, program):
        """The verdict on a mutant of mutants.json names the step, the file and the mistake."""
        number = mutant["killed_by"].split(" ")[0]
        step = next(s for s in self.steps if s["step"] == number)
        file = mutant["file"]
        only = number if self.whole else mutant["killed_by"]
        # The text in the handout's table of symptoms, and the sentence about the mistake.
        sentences = [mutant.get("says", ""), mutant.get("sentence", "")]
        # A short limit is enough for a test that hangs; if it cuts off the message, retry with a longer one.
        for seconds in (HANGS_AFTER, PATIENT):
            status, answer = self.check(program, "--time", seconds, "--only", only)
            if all(says_so(answer, sentence) for sentence in sentences):
                break
        what = mutant["name"]
        self.expect(f"{what}: is a failure", status == 1, answer)
        self.expect(f"{what}: the step is named", f"Fix step {number}, " in answer, answer)
        self.expect(f"{what}: the file {file} is named", self.names_file(answer, step, file), answer)
        for sentence in sentences:
            self.expect(f"{what}: the verdict says {sentence!r}", says_so(answer, sentence), answer)

    def early_mistake(self, program, mistake, number, *options):
        """A mistake must be reported as one even if the later steps are not written yet."""
        status, answer = self.check(program, "--time", "0.5", *options)
        what = f"{mistake['name']}, with the steps after {number} unwritten"
        self.expect(f"{what}: its step is reported as failed", status == 1 and f"  ✗ {number} " in answer, answer)
        self.expect(f"{what}: the step is named", f"Fix step {number}, " in answer, answer)

    def early_mistakes(self, mutants):
        """Checks the mistakes in files that also have functions of later steps, several in one program where possible.
        Checks the whole lab for the first mistake of a file and step, else only the step; with --whole always all."""
        made = {}
        for mutant in mutants:
            number, file = mutant["killed_by"].split(" ")[0], mutant["file"]
            stubs = steps_of(self.lab.path("exercise", file).read_text())
            if any(order(step) > order(number) for step in stubs):
                made.setdefault((file, number), []).append(mutant)
        for mistake in json.loads((Path(__file__).parent / "mistakes.json").read_text()):
            if mistake["lab"] == self.lab.name:
                made.setdefault((os.path.basename(mistake["file"]), mistake["step"]), []).append(mistake)
        for (file, number), mistakes in made.items():
            options = ()
            for mistake, program in self.early_programs(file, number, mistakes):
                self.early_mistake(program, mistake, number, *options)
                options = () if self.whole else ("--only", number)

    def early_programs(self, file, number, mistakes):
        """(mistake, program), with the steps up to `number` solved except for the mistake."""
        exercise = self.lab.path("exercise", file).read_text()
        solution = self.lab.path("solution", file).read_text()

        def program(text, name):
            return self.lab.program(number, {file: self.lab.compiled(file, text, name)}, name)

        text, held = together(compose(solution, exercise, number), mistakes)
        if held:
            many = program(text, f"{number}-mistakes")
            for mistake in held:
                one = many.with_name(f"lab{self.lab.number}_mutant_{mistake['name']}")
                one.unlink(missing_ok=True)
                one.symlink_to(many.name)
                yield mistake, one
        for mistake in mistakes:
            if mistake not in held:
                wrong = solution.replace(mistake["find"], mistake["replace"])
                yield mistake, program(compose(wrong, exercise, number), mistake["name"])

    def solved_here(self, index):
        """With the steps up to this one solved, its own tests pass: none needs a later step."""
        number = self.steps[index]["step"]
        status, answer = self.check(self.lab.program(number), "--only", number)
        self.expect(f"right up to {number}: its tests pass", status == 0 and f"  ✓ {number} " in answer, answer)

    def on_mistakes_below(self):
        """With a mistake of step 1.2 or 1.3 in lab 01 a test fails, nearly always one of the first step."""
        numbers = [step["step"] for step in self.steps]
        below = Lab("01_switch_asm", self.build)
        mistakes = [m for m in read(below.dir) if re.match(r"1\.[23] ", m["killed_by"])]
        objects = Objects(below, mistakes)
        for mutant in mistakes:
            name, wrong = mutant["name"], objects.of(mutant)
            program = self.lab.program(numbers[-1], name="on", before=wrong)
            program = program.rename(program.with_name(f"lab{self.lab.number}_mutant_{name}"))
            seen = any(self.check(program, "--time", PATIENT, "--only", number)[0] == 1 for number in numbers)
            self.expect(f"on a lab 01 with {name}: a test fails", seen, "")

    def all(self, mistakes):
        last = len(self.steps) - 1
        for index in range(last + 1 if self.whole or not mistakes else last):
            if self.whole or index in (0, last // 2, last):
                self.solved_through(index)
            else:
                self.solved_here(index)
        mutants = read(self.lab.dir)
        made = programs(self.lab, mutants) if mistakes else {}
        for mutant in mutants if mistakes else []:
            self.mistake(mutant, made[mutant["name"]])
        self.early_mistakes(mutants)
        if mistakes and self.lab.number == "04":
            self.on_mistakes_below()
        times = sorted(self.seconds)
        print(
            f"lab {self.lab.number}: {len(times)} checks, {times[len(times) // 2][0]:.1f} s the median, "
            f"{times[-1][0]:.1f} s the longest ({times[-1][1]})",
            flush=True,
        )


def main(build, *words):
    build = Path(build).resolve()
    labs = [word for word in words if not word.startswith("--")]
    if not labs:
        labs = sorted(path.name for path in Path("labs").glob("[0-9][0-9]_*"))
    # Most of the time is spent on tests that hang: two labs at a time, the one with the most mistakes first.
    labs.sort(key=lambda lab: -len((ROOT / "labs" / lab / "mutants.json").read_text()))
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda lab: Student(lab, build, "--whole" in words).all("--right-only" not in words), labs))
    end("a scripted student")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (Trouble, subprocess.CalledProcessError) as trouble:
        print(trouble, file=sys.stderr)
        sys.exit(2)
