"""./lab grade: marks for submissions.

    grade NN SUBMISSION… [--format text|json|gradescope|csv] [--out FILE] [--partial P] [--parallel N] [--state DIR]
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from .course import Course
from .errors import Refused, Trouble
from .formats import FORMATS, NOTE, write
from .ground import Ground
from .sandbox import works

ROOT = Path(__file__).resolve().parents[3]


def options(arguments):
    parser = argparse.ArgumentParser(prog="./lab grade", description="Marks for submissions: folders, zips or tars.")
    parser.add_argument("lab", help="the lab's number, as in 01")
    parser.add_argument("submission", nargs="+", help="a folder, a zip or a tar with the files of exercise/")
    parser.add_argument("--format", choices=sorted(FORMATS), default="text")
    parser.add_argument("--out", help="write the report there; else it is printed")
    parser.add_argument(
        "--partial", type=float, default=0.0, help="part of a step's points for the tests that pass (0 to 1)"
    )
    parser.add_argument("--parallel", type=int, default=os.cpu_count() or 1, help="submissions at a time")
    parser.add_argument(
        "--state", help="a folder that remembers what is done, so that an interrupted run goes on there"
    )
    return parser.parse_args(arguments)


def lab_named(number):
    found = sorted(path.name for path in (ROOT / "labs").glob("%s_*" % number.zfill(2)))
    if len(number) > 2 or not number.isdigit() or len(found) != 1:
        raise Trouble("there is no lab %s" % number)
    return found[0]


def grade(given):
    if not 0 <= given.partial <= 1 or given.parallel < 1:
        raise Trouble("--partial is a number from 0 to 1, --parallel at least 1")
    if given.format == "gradescope" and len(given.submission) != 1:
        raise Trouble("Gradescope's results.json is of one submission")
    walled = works()
    if not walled:
        print("grade: warning: %s" % NOTE, file=sys.stderr)
    if given.out:
        write(given.out, "")  # an old report never stays, and what cannot be written is known now
    with tempfile.TemporaryDirectory(prefix="fiberscope_grade_") as work:
        os.chmod(work, 0o755)
        ground = Ground(ROOT, lab_named(given.lab), work).prepare()
        course = Course(ground, walled, given.partial, given.state, given.parallel)
        report = FORMATS[given.format](course.grade_all(given.submission))
    if given.out:
        write(given.out, report)
    else:
        print(report, end="")


def main(arguments):
    try:
        grade(options(arguments))
    except (Trouble, Refused, OSError) as error:
        print("grade: %s" % error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ngrade: interrupted; with --state the same command goes on from here", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
