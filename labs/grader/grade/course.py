"""Many submissions: several at a time, with a bar, and again from where it was interrupted."""

import hashlib
import json
import shutil
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import build, formats, judge, marks, submission
from .errors import Refused, printable
from .progress import Progress
from .sandbox import Sandbox, claim_place, release_place


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
        mark = self.recall(path, name)
        remembered = mark is not None
        if not remembered:
            mark = self.grade(path, name)
            self.remember(path, mark)
        self.progress.one_more(remembered)
        return mark

    def grade(self, path, name):
        """Zero points until everything is known; a submission that cannot be graded keeps them, with the reason."""
        mark, began = marks.nothing_yet(self.ground, name), time.monotonic()
        mark.trusted = self.walled
        with self.lock:
            seat = self.places.pop()
        place = Path(tempfile.mkdtemp(prefix="place%d_" % seat, dir=self.ground.work))
        try:
            self.grade_at(place, path, mark, Sandbox(seat, self.walled))
        except Refused as refusal:
            mark.refused = str(refusal)
        finally:
            shutil.rmtree(place, ignore_errors=True)
            with self.lock:
                self.places.append(seat)
        mark.seconds = time.monotonic() - began
        return mark

    def grade_at(self, place, path, mark, sandbox):
        files = submission.take(path, self.ground.expected_files())
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
        passed = sum(judge.test(name, programs["tests"], sandbox).passed for name in self.ground.tests)
        return "%d of %d tests pass" % (passed, len(self.ground.tests))

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
        for name in ("graded", "refused", "trusted", "seconds", "own_labs"):
            setattr(mark, name, data[name])
        mark.verdicts = [judge.Verdict(one["name"], one["passed"], one["why"]) for one in data["tests"]]
        for step, one in zip(mark.steps, data["steps"]):
            step.passed, step.points = one["passed"], one["points"]
        return mark

    def remember(self, path, mark):
        if self.state is not None:
            self.state.mkdir(parents=True, exist_ok=True)
            formats.write(self.file_of(path, mark.name), json.dumps(formats.as_data(mark)))

def unique_names(paths):
    """The last part of each path; two that are the same get their folder in front."""
    last = [Path(path).name for path in paths]
    names = [name if last.count(name) == 1 else str(Path(path)) for path, name in zip(paths, last)]
    if len(set(names)) != len(names):
        raise Refused("one submission is named twice: %s" % printable(next(n for n in names if names.count(n) > 1)))
    return names
