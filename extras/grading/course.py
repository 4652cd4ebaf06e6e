"""Many submissions: several at a time, with a bar, and again from where it was interrupted."""

import contextlib
import hashlib
import json
import shutil
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import build, formats, judge, marks, submission
from .errors import Refused, Trouble, printable
from .progress import Progress
from .sandbox import Sandbox, claim_place, release_place


STUMBLED = "the grader stumbled over it: "


@contextlib.contextmanager
def blamed(mark):
    """What one submission leads to is told in its mark, and the others' do not depend on it. Trouble is of them all."""
    try:
        yield
    except Refused as refusal:
        mark.refused = str(refusal)
    except Trouble:
        raise
    except Exception as error:  # whatever it is
        mark.refused = STUMBLED + printable(repr(error))


class Course:
    """`state`: a folder that remembers the marks of those that are done; None for no memory."""

    def __init__(self, ground, walled, partial=0.0, state=None, parallel=2):
        self.ground, self.walled, self.partial = ground, walled, partial
        self.state, self.parallel = (Path(state) if state else None), parallel
        self.places, self.lock = [], threading.Lock()

    def grade_all(self, paths):
        paths = list(paths)
        names = unique_names(paths)
        self.progress = Progress(len(paths))
        self.places = [claim_place() for _ in range(self.parallel)]
        with ThreadPoolExecutor(self.parallel) as pool:
            found = list(pool.map(lambda pair: self.remembered(*pair), zip(paths, names)))
        for place in self.places:
            release_place(place)
        self.progress.end()
        return found

    def remembered(self, path, name):
        """Zero points until everything is known; a submission that cannot be graded keeps them, with the reason."""
        mark, files = marks.nothing_yet(self.ground, printable(name)), None
        mark.trusted = self.walled
        with blamed(mark):
            files, mark.notes = submission.take(path, self.ground.expected_files())
        kept = self.file_of(mark, files)
        remembered = self.recall(mark, kept)
        if not remembered:
            self.grade(mark, files)
            self.remember(mark, kept)
        self.progress.one_more(remembered)
        return mark

    def grade(self, mark, files):
        if files is None:
            return
        began = time.monotonic()
        with self.lock:
            seat = self.places.pop()
        place, sandbox = tempfile.mkdtemp(prefix="place%d_" % seat, dir=self.ground.work), Sandbox(seat, self.walled)
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
        build.prepare(self.ground, files, place, sandbox)
        part = self.ground.part(self.ground.lab)
        made = build.compiled_part(self.ground, part, place, sandbox)
        (place / "program").mkdir(mode=0o755)
        programs = {
            kind: build.link(self.ground, kind, {part: made}, place / "program" / kind) for kind in self.ground.links
        }
        own = self.own_labs(place, files, {part: made}, sandbox)
        shutil.rmtree(place / "labs")
        marks.give_points(mark, judge.judge(self.ground, programs, sandbox), self.partial)
        mark.own_labs = own if isinstance(own, str) else self.on_own_labs(own, sandbox)

    def own_labs(self, place, files, parts, sandbox):
        """The program on the student's own earlier labs; or why there is none, in words. It changes no mark."""
        earlier = [lab for lab in self.ground.below() if files[lab]]
        if not earlier:
            return ""
        try:
            for lab in earlier:
                part = self.ground.part(lab)
                parts[part] = build.compiled_part(self.ground, part, place, sandbox)
            (place / "own").mkdir(mode=0o755)
            return {"tests": build.link(self.ground, "tests", parts, place / "own" / "tests")}
        except Refused as refusal:
            return "refused: %s" % refusal

    def on_own_labs(self, programs, sandbox):
        if not programs:
            return ""
        steps = [one["step"] for one in self.ground.steps]
        verdicts = [judge.tests_of(self.ground, step, programs["tests"], sandbox) for step in steps]
        passed = sum(one.passed for one in sum(verdicts, []))
        return "%d of %d tests pass" % (passed, len(self.ground.tests))

    # ---- memory

    def file_of(self, mark, files):
        """By what was taken of the submission, or why nothing was. None without a memory."""
        if self.state is None:
            return None
        taken = sorted(
            (lab, name, hashlib.sha256(data).hexdigest())
            for lab, found in (files or {}).items()
            for name, data in found.items()
        )
        settings = [self.ground.lab, mark.name, self.ground.tests, self.ground.policy, self.partial, self.walled]
        whole = hashlib.sha256(json.dumps([settings, taken, mark.notes, mark.refused]).encode())
        return self.state / (whole.hexdigest()[:32] + ".json")

    def recall(self, mark, kept):
        """Whether the mark is known from an earlier run, and then it is as it was."""
        if kept is None or not kept.exists():
            return False
        data = json.loads(kept.read_text())
        for name in ("graded", "refused", "trusted", "seconds", "processor", "own_labs", "notes"):
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
    """The last part of each path; two that are the same get their folder in front."""
    last = [Path(path).name for path in paths]
    names = [name if last.count(name) == 1 else str(Path(path)) for path, name in zip(paths, last)]
    if len(set(names)) != len(names):
        raise Refused("one submission is named twice: %s" % printable(next(n for n in names if names.count(n) > 1)))
    return names
