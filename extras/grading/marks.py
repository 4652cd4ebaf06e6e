"""Points. Every mark begins as zero; a step is solved when every one of its tests passed."""

from dataclasses import dataclass, field

from .errors import Trouble


@dataclass
class Step:
    number: str
    title: str
    most: float
    points: float = 0.0
    passed: int = 0
    total: int = 0

    @property
    def solved(self):
        return self.total > 0 and self.passed == self.total


@dataclass
class Mark:
    """What one submission gets. Until `graded` it has no points, whatever happens."""

    name: str
    steps: list
    graded: bool = False
    refused: str = ""  # why it could not be graded
    verdicts: list = field(default_factory=list)
    seconds: float = 0.0
    processor: float = 0.0  # seconds that its compilers and its programs took
    trusted: bool = True
    own_labs: str = ""  # the same on the student's own earlier labs, in words
    notes: list = field(default_factory=list)  # what a person should know, in sentences; they change no points

    @property
    def points(self):
        return sum(step.points for step in self.steps)

    @property
    def most(self):
        return sum(step.most for step in self.steps)


def nothing_yet(ground, name):
    points = ground.policy["points"]
    steps = [Step(one["step"], one["title"], float(points.get(one["step"], 0))) for one in ground.steps]
    unknown = set(points) - {step.number for step in steps}
    if unknown:
        raise Trouble(
            "grade.json of lab %s gives points for steps that it does not have: %s" % (ground.number, sorted(unknown))
        )
    tests = [name.split()[0] for name in ground.tests]
    if len(set(ground.tests)) != len(ground.tests):
        raise Trouble("two tests of lab %s have one name" % ground.number)
    for step in steps:
        step.total = tests.count(step.number) + (step.number in ground.questions)
        if tests.count(step.number) == 0:
            raise Trouble("step %s of lab %s has no tests" % (step.number, ground.number))
    strange = (set(tests) | set(ground.questions)) - {step.number for step in steps}
    if strange:
        raise Trouble("lab %s has tests or questions of unknown steps: %s" % (ground.number, sorted(strange)))
    return Mark(name, steps)


def give_points(mark, verdicts, partial):
    """`partial`: of a step that is not solved, the part of the points that its passed tests are, times this; 0 for
    none."""
    mark.verdicts = verdicts
    for step in mark.steps:
        step.passed = sum(1 for one in verdicts if one.step == step.number and one.passed)
        step.points = step.most if step.solved else round(step.most * partial * step.passed / step.total, 2)
    mark.graded = True
    return mark
