"""Points. Every mark is initially zero; a step is solved if all of its tests passed."""

from dataclasses import dataclass, field


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
    """The mark of one submission. It has no points until `graded` is set."""

    name: str
    steps: list
    graded: bool = False
    refused: str = ""  # why it could not be graded
    verdicts: list = field(default_factory=list)
    seconds: float = 0.0
    processor: float = 0.0  # seconds used by its compilers and its programs
    reviews: list = field(default_factory=list)  # reasons for a review by a person, as sentences
    student: object = None  # a Student, if there is a list
    absent: bool = False  # the student submitted nothing
    notes: list = field(default_factory=list)  # sentences for a person, without effect on the points

    @property
    def points(self):
        return sum(step.points for step in self.steps)

    @property
    def most(self):
        return sum(step.most for step in self.steps)


def nothing_yet(setup, name):
    points = setup.policy["points"]
    steps = [Step(one["step"], one["title"], float(points.get(one["step"], 0))) for one in setup.steps]
    tests = [name.split()[0] for name in setup.tests]
    for step in steps:
        step.total = tests.count(step.number) + (step.number in setup.questions)
    return Mark(name, steps)


def without_submission(setup, student):
    mark = nothing_yet(setup, "")
    mark.student, mark.absent, mark.refused = student, True, "not submitted"
    return mark


def give_points(mark, verdicts, partial, questions):
    """`partial`: the points of an unsolved step are its share of passed tests times this; 0: none. The report of a test
    is written by the process of the student's code, so it only counts with the right answer to the step's question;
    other points need a review by a person."""
    mark.verdicts = verdicts
    for step in mark.steps:
        of_step = [one for one in verdicts if one.step == step.number]
        step.passed = sum(one.passed for one in of_step)
        step.points = step.most if step.solved else round(step.most * partial * step.passed / step.total, 2)
        if step.passed and step.number not in questions:
            mark.reviews.append("step %s: no question is asked, and tests can be forged" % step.number)
        elif step.passed and not of_step[-1].passed and (step.points or step.passed == step.total - 1):
            mark.reviews.append("step %s: tests pass, but its question is not answered" % step.number)
    mark.graded = True
    return mark
