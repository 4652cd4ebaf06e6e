"""./lab grade: marks for submissions.

    grade NN SUBMISSION… [--format text|json|csv] [--out FILE] [--partial P] [--parallel N] [--state DIR]
"""

import argparse
import os
import signal
import sys
import tempfile
from pathlib import Path

from .errors import Refused, Trouble
from .formats import FORMATS, write
from .say import Lab, say, translated

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
    about = say("a table for a person (text), csv, or json")
    more.add_argument("--format", choices=sorted(FORMATS), default="text", help=about)
    more.add_argument("--out", help=say("write the report to this file (default: print it)"))
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
    if given.out:
        write(given.out, "")  # removes an old report, and fails early if the file cannot be written
    with tempfile.TemporaryDirectory(prefix="fiberscope_grade_") as work:
        os.chmod(work, 0o755)
        setup = GradingSetup(ROOT, lab_named(given.lab), work).prepare()
        course = Course(setup, given.partial, given.state, given.parallel)
        report = FORMATS[given.format](course.grade_all(given.submission), Lab(ROOT / "labs" / setup.lab))
    if given.out:
        write(given.out, report)
    else:
        print(report, end="")


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
