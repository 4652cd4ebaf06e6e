"""What is made once, before any submission is looked at: the tree without solutions, objects of tests and kit, the
list of tests."""

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

from .errors import Trouble

SOURCES = (".h", ".cpp", ".S")


class Ground:
    """A lab as it is graded. `root` is the repository; nothing of a submission has been here."""

    def __init__(self, root, lab, work):
        self.root, self.lab, self.work = Path(root), lab, Path(work)
        self.number = lab[:2]
        self.directory = self.root / "labs" / lab
        self.build = self.root / "build" / "exercise"
        self.pristine = self.work / "tree"
        self.steps = json.loads((self.directory / "steps.json").read_text())
        self.policy = json.loads((self.directory / "grade.json").read_text())

    def prepare(self):
        self.compile_everything_else()
        self.copy_tree()
        commands = self.commands()
        self.compiles = self.of_the_student(commands)
        self.link = shlex.split(commands[-1].split(" && ")[1])
        self.tests = self.names_of_tests()
        return self

    def compile_everything_else(self):
        target = "lab%s_tests" % self.number
        log = self.work / "ground.log"
        with open(log, "w") as out:
            if not (self.build / "build.ninja").exists():
                run_logged(["cmake", "--preset", "exercise"], self.root, out, log)
            run_logged(["cmake", "--build", str(self.build), "--target", target], self.root, out, log)

    def copy_tree(self):
        """Headers, and what the lab gives. A solution is not in it, so no submission can include or quote one."""
        listed = subprocess.run(
            ["git", "-C", str(self.root), "ls-files", "-z"], capture_output=True, check=True
        ).stdout
        for name in listed.decode().split("\0"):
            if not name.endswith(SOURCES) or "/solution/" in name or not self.is_needed(name):
                continue
            target = self.pristine / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((self.root / name).read_bytes())
        self.precompiled_inside().mkdir(parents=True)  # where the sandbox puts what is read once

    def precompiled_inside(self):
        return self.pristine / "build" / "exercise" / "CMakeFiles" / "standard_headers.dir"

    def is_needed(self, name):
        return name.endswith(".h") or name.startswith("labs/%s/" % self.lab)

    def commands(self):
        target = "lab%s_tests" % self.number
        text = subprocess.run(
            ["ninja", "-C", str(self.build), "-t", "commands", target], capture_output=True, text=True
        )
        lines = text.stdout.strip().splitlines()
        if not lines or "bin/" + target not in lines[-1]:
            raise Trouble("ninja does not say how lab %s is built; see %s" % (self.number, self.work / "ground.log"))
        return lines

    def of_the_student(self, commands):
        """{source: compile command} of the exercise's files, and of given files that include one of them."""
        found = {}
        for line in commands:
            match = re.search(r" -o (\S+/lab%s_objects\.dir/\S+\.o) -c (\S+)$" % self.number, line)
            if match and ("/exercise/" in match[2] or self.includes_exercise(match[1])):
                found[match[2]] = [word for word in shlex.split(line) if word != "ccache"]
        return found

    def includes_exercise(self, made):
        deps = subprocess.run(
            ["ninja", "-C", str(self.build), "-t", "deps", made], capture_output=True, text=True
        ).stdout
        return any("/labs/%s/exercise/" % self.lab in line for line in deps.splitlines()[1:])

    def names_of_tests(self):
        """Of the program with the untouched exercise: what a submission's program says about itself is not asked."""
        program = self.build / "bin" / ("lab%s_tests" % self.number)
        names = subprocess.run(
            [str(program), "--names"], capture_output=True, text=True, timeout=60
        ).stdout.splitlines()
        if not names:
            raise Trouble("the untouched program of lab %s names no tests" % self.number)
        return names

    def expected_files(self):
        arch = os.uname().machine
        named = [step["file"] if isinstance(step["file"], list) else [step["file"]] for step in self.steps]
        files = {Path(name.replace("{arch}", arch)).name for names in named for name in names}
        return files | set(self.policy.get("also", []))


def run_logged(command, root, out, log):
    if subprocess.run(command, cwd=root, stdout=out, stderr=subprocess.STDOUT).returncode != 0:
        raise Trouble("the tree itself does not build; all of it: %s" % log)
