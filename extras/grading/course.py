"""Grading of many submissions: several in parallel, resumable after an interruption."""

import contextlib
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
from .errors import Refused, Trouble, printable
from .say import say
from .sandbox import Sandbox


STUMBLED = "internal error of the grader: "


@contextlib.contextmanager
def blamed(mark):
    """An error caused by one submission goes into its mark and does not affect the others. Trouble affects all."""
    try:
        yield
    except Refused as refusal:
        mark.refused = str(refusal)
    except Trouble:
        raise
    except Exception as error:  # any error
        mark.refused = STUMBLED + printable(repr(error))


class Course:
    """`state`: a directory with the finished marks; None to keep none."""

    def __init__(self, setup, partial=0.0, state=None, parallel=2):
        self.setup, self.partial = setup, partial
        self.state, self.parallel = (Path(state) if state else None), parallel
        self.places, self.lock = [], threading.Lock()

    def grade_all(self, paths):
        paths = list(paths)
        names = unique_names(paths)
        self.done, self.total, self.recalled = 0, len(paths), 0
        self.places = list(range(self.parallel))
        with ThreadPoolExecutor(self.parallel) as pool:
            found = list(pool.map(lambda pair: self.remembered(*pair), zip(paths, names)))
        before = say(", {0} of them before the interruption", self.recalled) if self.recalled else ""
        print(say("grade: {0} graded{1}", self.done, before), file=sys.stderr)
        return found

    def remembered(self, path, name):
        """Zero points until grading is complete; a submission that cannot be graded keeps them, with the reason."""
        mark, files = marks.nothing_yet(self.setup, printable(name)), None
        with blamed(mark):
            files, mark.notes = submission.take(path, self.setup.lab, self.setup.expected_files())
        kept = self.file_of(mark, files)
        remembered = self.recall(mark, kept)
        if not remembered:
            self.grade(mark, files)
            self.remember(mark, kept)
        with self.lock:
            self.done, self.recalled = self.done + 1, self.recalled + remembered
            print(say("grade: {0} of {1}: {2}", self.done, self.total, mark.name), file=sys.stderr)
        return mark

    def grade(self, mark, files):
        if files is None:
            return
        began = time.monotonic()
        with self.lock:
            seat = self.places.pop()
        place, sandbox = tempfile.mkdtemp(prefix="place%d_" % seat, dir=self.setup.work), Sandbox(seat)
        try:
            with blamed(mark):
                self.grade_at(Path(place), files, mark, sandbox)
        finally:
            shutil.rmtree(place, ignore_errors=True)
            with self.lock:
                self.places.append(seat)
        mark.notes += [sandbox.budget.spent()] if sandbox.budget.spent() else []
        mark.seconds, mark.processor = time.monotonic() - began, sandbox.budget.processor_used

    def grade_at(self, place, files, mark, sandbox):
        build.prepare(self.setup, files, place)
        made = build.compiled(self.setup, place, sandbox)
        (place / "program").mkdir(mode=0o755)
        programs = {
            kind: build.link(self.setup, kind, made, place / "program" / kind) for kind in self.setup.links
        }
        shutil.rmtree(place / "labs")
        verdicts = judge.judge(self.setup, programs, sandbox)
        marks.give_points(mark, verdicts, self.partial, self.setup.questions)

    # ---- memory

    def file_of(self, mark, files):
        """A name from the hash of the accepted files, or of the reason for rejection. None without a state."""
        if self.state is None:
            return None
        taken = sorted((name, hashlib.sha256(data).hexdigest()) for name, data in (files or {}).items())
        settings = [self.setup.lab, mark.name, self.setup.tests, self.setup.policy, self.partial]
        whole = hashlib.sha256(json.dumps([settings, taken, mark.notes, mark.refused]).encode())
        return self.state / (whole.hexdigest()[:32] + ".json")

    def recall(self, mark, kept):
        """Restores the mark of an earlier run; returns whether there is one."""
        if kept is None or not kept.exists():
            return False
        data = json.loads(kept.read_text())
        for name in ("graded", "refused", "seconds", "processor", "notes", "reviews"):
            setattr(mark, name, data[name])
        mark.verdicts = [judge.Verdict(one["name"], one["passed"], one["why"]) for one in data["tests"]]
        for step, one in zip(mark.steps, data["steps"]):
            step.passed, step.points = one["passed"], one["points"]
        return True

    def remember(self, mark, kept):
        if kept is not None and not mark.refused.startswith(STUMBLED):
            self.state.mkdir(parents=True, exist_ok=True)
            formats.write(kept, json.dumps(formats.as_data(mark)))


def unique_names(paths):
    """The last part of each path; equal ones are prefixed with their directory."""
    last = [Path(path).name for path in paths]
    names = [name if last.count(name) == 1 else str(Path(path)) for path, name in zip(paths, last)]
    if len(set(names)) != len(names):
        raise Refused("duplicate submission: %s" % printable(next(n for n in names if names.count(n) > 1)))
    return names
