"""./lab grade: marks for submissions.

    grade NN SUBMISSION… [--format text|json|csv] [--out FILE] [--partial P] [--parallel N] [--state DIR]
                         [--students LIST [--for PLATFORM] [--assignment COLUMN] [--feedback DIR]]
"""

import argparse
import os
import signal
import sys
import tempfile
from pathlib import Path

from .errors import Refused, Trouble, printable
from .formats import FORMATS, write
from .marks import without_submission
from .page import class_page
from .platforms import REPORTS, feedback_of
from .say import Lab, say, translated
from .students import Students

try:
    from .course import Course
    from .setup import GradingSetup
    from .sandbox import STOPPED, works
except ImportError as missing:
    sys.exit(say("grade: {0}", translated("%s is missing" % missing.name)))

ROOT = Path(__file__).resolve().parents[2]


class Formatter(argparse.HelpFormatter):
    def add_usage(self, usage, actions, groups, prefix=None):
        super().add_usage(usage, actions, groups, say("usage: "))


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(2, say("grade: {0}", translated(message)) + "\n")


def options(arguments):
    description = say("Marks for submissions: folders, zips or tars.")
    parser = Parser(prog="./lab grade", description=description, add_help=False, formatter_class=Formatter)
    given, more = parser.add_argument_group(say("arguments")), parser.add_argument_group(say("options"))
    given.add_argument("lab", help=say("the lab's number, as in 01"))
    given.add_argument("submission", nargs="+", help=say("a folder, a zip or a tar with the files of exercise/"))
    more.add_argument("-h", "--help", action="help", help=say("print this help and exit"))
    about, report = say("a table for a person (text), csv, or json"), more.add_mutually_exclusive_group()
    report.add_argument("--format", choices=sorted(FORMATS), default="text", help=about)
    more.add_argument("--out", help=say("write the report to this file (default: print it)"))
    about = say("a CSV with the students: your own, or a platform's export")
    more.add_argument("--students", metavar="LIST", help=about)
    about = say("the report is the file to upload to this platform")
    report.add_argument("--for", dest="platform", choices=sorted(REPORTS), help=about)
    more.add_argument("--assignment", metavar="COLUMN", help=say("the column of Canvas's gradebook"))
    about = say("a directory for a feedback file for each student, and class.html for you")
    more.add_argument("--feedback", metavar="DIR", help=about)
    about = say("part of a step's points for the tests that pass (0 to 1)")
    more.add_argument("--partial", type=float, default=0.0, help=about)
    more.add_argument("--parallel", type=int, default=os.cpu_count() or 1, help=say("submissions graded in parallel"))
    about = say("a directory for finished marks, so that an interrupted run can continue")
    more.add_argument("--state", help=about)
    return parser.parse_args(arguments)


def lab_named(number):
    found = sorted(path.name for path in (ROOT / "labs").glob("%s_*" % number.zfill(2)))
    if len(number) > 2 or not number.isdigit() or len(found) != 1:
        raise Trouble("there is no lab %s" % number)
    return found[0]


def grade(given):
    if not 0 <= given.partial <= 1 or given.parallel < 1:
        raise Trouble("--partial must be 0 to 1, --parallel at least 1")
    if not works():
        raise Trouble("bubblewrap does not work here, so a submission could read and change all that you can")
    if not given.students and (given.platform or given.feedback):
        raise Trouble("--for and --feedback need --students")
    prepare_places(given)
    with tempfile.TemporaryDirectory(prefix="fiberscope_grade_") as work:
        os.chmod(work, 0o755)
        setup, students, owners = GradingSetup(ROOT, lab_named(given.lab), work), None, []
        if given.students:
            most = sum(setup.policy["points"].values())
            students = Students(given.students, given.platform, most, given.assignment)
            owners = students.matched(given.submission)
        marks = Course(setup.prepare(), given.partial, given.state, given.parallel).grade_all(given.submission)
    for mark, student in zip(marks, owners):
        mark.student = student
    if students:
        marks += [without_submission(setup, one) for one in students.all if one not in owners]
    deliver(given, marks, Lab(ROOT / "labs" / setup.lab), students)


def prepare_places(given):
    """Removes an old report, and fails early if a file cannot be written."""
    if given.out and given.students and os.path.realpath(given.out) == os.path.realpath(given.students):
        raise Trouble("--out would replace the list of --students")
    if given.out:
        write(given.out, "")
    elif given.platform == "gradescope":
        raise Trouble("--for gradescope needs --out")
    if given.feedback:
        os.makedirs(given.feedback, exist_ok=True)


def deliver(given, marks, lab, students):
    report = REPORTS[given.platform](marks, lab, students) if given.platform else FORMATS[given.format](marks, lab)
    if given.feedback:
        files = {**feedback_of(marks, lab, given.platform), "class.html": class_page(marks, lab)}
        for name, content in files.items():
            write(os.path.join(given.feedback, name), content)
    if given.out:
        write(given.out, report)
    else:
        print(report, end="")
    if absent := [mark.student.name or mark.student.id for mark in marks if mark.absent]:
        print(say("grade: no submission from {0}", listed(absent)), file=sys.stderr)
    if reviewed := [mark.name for mark in marks if mark.reviews]:
        print(say("grade: review by hand: {0}", listed(reviewed)), file=sys.stderr)


def listed(names):
    return ", ".join(map(printable, names))


class Interrupted(BaseException):
    """Raised by a signal, so that temporary files are removed and child processes killed before exit."""


def interrupt(number, _frame):
    for one in ENDING:
        signal.signal(one, signal.SIG_IGN)
    STOPPED.set()  # kills the programs in the sandbox
    raise Interrupted(number)


ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main(arguments):
    for number in ENDING:
        signal.signal(number, interrupt)
    try:
        grade(options(arguments))
    except (Trouble, Refused, OSError) as error:
        print(say("grade: {0}", translated(str(error))), file=sys.stderr)
        return 2
    except Interrupted as interrupted:
        what = say("interrupted; with --state the same command continues from here")
        print("\n" + say("grade: {0}", what), file=sys.stderr)
        return 128 + interrupted.args[0]
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
