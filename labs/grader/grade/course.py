"""Many submissions: several at a time, with a bar, and again from where it was interrupted."""

import hashlib
import json
import shutil
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import build, formats, judge, marks, submission
from .errors import Refused, printable
from .sandbox import Sandbox


class Course:
    """`state`: a folder that remembers the marks of those that are done; None for no memory."""

    def __init__(self, ground, walled, partial=0.0, state=None, parallel=2):
        self.ground, self.walled, self.partial = ground, walled, partial
        self.state, self.parallel = (Path(state) if state else None), parallel
        self.places, self.lock = list(range(parallel)), threading.Lock()
        self.done = 0

    def grade_all(self, paths):
        names = unique_names(paths)
        with ThreadPoolExecutor(self.parallel) as pool:
            found = list(pool.map(lambda pair: self.remembered(*pair), zip(paths, names)))
        self.bar(len(paths), last=True)
        return found

    def remembered(self, path, name):
        mark = self.recall(path, name)
        if mark is None:
            mark = self.grade(path, name)
            self.remember(path, mark)
        with self.lock:
            self.done += 1
        self.bar(None)
        return mark

    def grade(self, path, name):
        """Zero points until everything is known; a submission that cannot be graded keeps them, with the reason."""
        mark, began = marks.nothing_yet(self.ground, name), time.monotonic()
        mark.trusted = self.walled
        with self.lock:
            seat = self.places.pop()
        place = Path(tempfile.mkdtemp(prefix="place%d_" % seat, dir=self.ground.work))
        try:
            sandbox = Sandbox(seat, self.walled)
            files = submission.take(path, self.ground.expected_files())
            program = build.program_of(self.ground, files, place, sandbox)
            shutil.rmtree(place / "exercise")
            only = place / "program"
            only.mkdir(mode=0o755)
            program = program.rename(only / "tests")
            marks.give_points(mark, judge.judge(self.ground, program, sandbox), self.partial)
        except Refused as refusal:
            mark.refused = str(refusal)
        finally:
            shutil.rmtree(place, ignore_errors=True)
            with self.lock:
                self.places.append(seat)
        mark.seconds = time.monotonic() - began
        return mark

    # ---- memory

    def key(self, path, name):
        whole = hashlib.sha256(
            json.dumps(
                [self.ground.lab, name, self.ground.tests, self.ground.policy, self.partial, self.walled]
            ).encode()
        )
        path = Path(path)
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and not file.is_symlink():
                whole.update(str(file.relative_to(path.parent)).encode() + b"\0" + file.read_bytes())
        return whole.hexdigest()[:32]

    def file_of(self, path, name):
        return self.state / (self.key(path, name) + ".json")

    def recall(self, path, name):
        if self.state is None or not self.file_of(path, name).exists():
            return None
        data = json.loads(self.file_of(path, name).read_text())
        mark = marks.nothing_yet(self.ground, name)
        mark.graded, mark.refused, mark.trusted, mark.seconds = (
            data["graded"],
            data["refused"],
            data["trusted"],
            data["seconds"],
        )
        mark.verdicts = [judge.Verdict(one["name"], one["passed"], one["why"]) for one in data["tests"]]
        for step, one in zip(mark.steps, data["steps"]):
            step.passed, step.points = one["passed"], one["points"]
        return mark

    def remember(self, path, mark):
        if self.state is not None:
            self.state.mkdir(parents=True, exist_ok=True)
            formats.write(self.file_of(path, mark.name), json.dumps(formats.as_data(mark)))

    # ---- progress

    def bar(self, total, last=False):
        self.total = total if total is not None else getattr(self, "total", 0)
        if last:
            print("grade: %d graded" % self.done, file=sys.stderr)
        elif sys.stderr.isatty() or self.done % 10 == 0:
            print("grade: %d done" % self.done, file=sys.stderr, end="\r" if sys.stderr.isatty() else "\n")


def unique_names(paths):
    """The last part of each path; two that are the same get their folder in front."""
    last = [Path(path).name for path in paths]
    names = [name if last.count(name) == 1 else str(Path(path)) for path, name in zip(paths, last)]
    if len(set(names)) != len(names):
        raise Refused("one submission is named twice: %s" % printable(next(n for n in names if names.count(n) > 1)))
    return names
