"""Prepared once, before any submission is read: the tree without solutions, objects of tests and kit, the list of
tests."""

import fcntl
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

from .errors import Trouble

SOURCES = (".h", ".cpp", ".S")
LEFT_OUT = "extras/grading/left_out.txt"  # one pattern per line, as for grep -E
PRECOMPILED = "CMakeFiles/standard_headers.dir"


class GradingSetup:
    """A lab to be graded. `root` is the repository, without files of submissions."""

    def __init__(self, root, lab, work):
        self.root, self.lab, self.work = Path(root), lab, Path(work)
        self.number = lab[:2]
        self.directory = self.root / "labs" / lab
        self.build = self.root / "build" / "exercise"
        self.pristine = self.work / "tree"
        self.kept = self.work / "build"  # copy of the files to link and run, so that the tree may change
        self.steps = json.loads((self.directory / "steps.json").read_text())
        self.policy = json.loads((self.directory / "grade.json").read_text())
        self.questions = self.policy["questions"]  # by step: questions for labNN_proof

    def prepare(self):
        self.compile("lab%s lab%s_tests lab%s_proof lab%s_proof_reference".replace("%s", self.number).split())
        self.copy_tree()
        self.links = {kind: self.link_of(kind) for kind in ("tests", "proof")}
        self.tests = self.names_of_tests()
        for words in self.links.values():
            self.keep(word for word in words if word.endswith((".a", ".o")) and not word.startswith("-"))
        self.keep(["bin/lab%s_proof_reference" % self.number])
        if (self.build / PRECOMPILED).is_dir():
            shutil.copytree(self.build / PRECOMPILED, self.kept / PRECOMPILED)
        self.part = Part(self)
        return self

    def keep(self, names):
        """Copies files of the build; other names are the system's."""
        for name in names:
            if (self.build / name).is_file() and not os.path.isabs(name) and not (self.kept / name).exists():
                (self.kept / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(self.build / name, self.kept / name)

    def compile(self, targets):
        """Serialized, since ninja does not support two instances in one directory."""
        log = self.work / "setup.log"
        self.build.parent.mkdir(exist_ok=True)
        with open(self.build.parent / "exercise.lock", "w") as lock, open(log, "a") as out:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (self.build / "build.ninja").exists():
                run_logged(["cmake", "--preset", "exercise"], self.root, out, log)
            run_logged(["cmake", "--build", str(self.build), "--target"] + targets, self.root, out, log)

    def copy_tree(self):
        """Copies headers and given code. Solutions are excluded, so no submission can include or
        quote a solution."""
        left_out = re.compile("|".join((self.root / LEFT_OUT).read_text().split()))
        for folder in ("labs", "traces", "languages", "testing", "viewer"):
            for path in (self.root / folder).rglob("*"):
                name = str(path.relative_to(self.root))
                if name.endswith(SOURCES if folder == "labs" else ".h") and not left_out.search(name):
                    (self.pristine / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(path, self.pristine / name)
        (self.pristine / "build" / "exercise" / PRECOMPILED).mkdir(parents=True)  # a place for them in the sandbox

    def commands(self, target):
        text = subprocess.run(
            ["ninja", "-C", str(self.build), "-t", "commands", target], capture_output=True, text=True
        )
        lines = text.stdout.strip().splitlines()
        if not lines:
            raise Trouble("ninja does not say how %s is built; see %s" % (target, self.work / "setup.log"))
        return lines

    def link_of(self, kind):
        target = "lab%s_%s" % (self.number, kind)
        last = self.commands(target)[-1]
        if "bin/" + target not in last:
            raise Trouble("ninja does not say how %s is linked; see %s" % (target, self.work / "setup.log"))
        return shlex.split(last.split(" && ")[1])

    def names_of_tests(self):
        """Names from the program with the untouched exercise, since a submission's program is untrusted."""
        program = self.build / "bin" / ("lab%s_tests" % self.number)
        names = subprocess.run(
            [str(program), "--names"], capture_output=True, text=True, timeout=60
        ).stdout.splitlines()
        if not names:
            raise Trouble("the untouched program of lab %s names no tests" % self.number)
        # A sandbox may refuse io_uring; step 5.8 is then tested without the kernel.
        return [name for name in names if " in the kernel: " not in name]

    def expected_files(self):
        """The names of the files of exercise/, those of the challenges among them."""
        return {path.name for path in self.stubs()}

    def stubs(self):
        return (self.pristine / "labs" / self.lab).glob("**/exercise/*")


class Part:
    """The lab's own files: compile commands, and objects to link with them."""

    def __init__(self, setup):
        self.setup, self.lab, self.number = setup, setup.lab, setup.number
        commands = setup.commands("lab" + self.number)
        self.archive = "labs/%s/liblab%s.a" % (self.lab, self.number)
        self.compiles = self.of_the_student(commands)
        self.given = self.given_objects(commands)
        setup.keep(self.given)

    def of_the_student(self, commands):
        """{source: compile command} of the exercise's files, and of given files that include one of them."""
        found = {}
        for line in commands:
            match = re.search(r" -o (\S+/lab%s_objects\.dir/\S+\.o) -c (\S+)$" % self.number, line)
            if match and (self.is_exercise(match[2]) or self.includes_exercise(match[1])):
                found[match[2]] = without_launcher(shlex.split(line))
        return found

    def includes_exercise(self, made):
        deps = subprocess.run(
            ["ninja", "-C", str(self.setup.build), "-t", "deps", made], capture_output=True, text=True
        ).stdout
        return any(map(self.is_exercise, deps.splitlines()[1:]))

    def is_exercise(self, path):
        return re.search("/labs/%s/(beyond/[^/]+/)?exercise/" % self.lab, path)

    def given_objects(self, commands):
        """The objects of the lab's own archive except those that are compiled for each submission."""
        for line in commands:
            if " qc %s " % self.archive in line:
                words = line.split(" qc %s " % self.archive)[1].split(" && ")[0].split()
                mine = {command[command.index("-o") + 1] for command in self.compiles.values()}
                return [word for word in words if word.endswith(".o") and word not in mine]
        raise Trouble("ninja does not list the inputs of %s" % self.archive)


COMPILER = re.compile(r"(.*/)?(\w+-)*(c\+\+|g\+\+|gcc|cc|clang|clang\+\+)(-\d+)?")


def without_launcher(words):
    """A compile command without the compiler cache, which a submission must not fill."""
    while not COMPILER.fullmatch(words[0]):
        words = words[1:]
    return words


def run_logged(command, root, out, log):
    process = subprocess.Popen(command, cwd=root, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        status = process.wait()
    except BaseException:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()
        raise
    if status != 0:
        raise Trouble("the tree itself does not build; full output: %s" % log)
