"""Runs each test of the lab, one process and one sandbox each, and judges by what it said and how it ended."""

import secrets
from dataclasses import dataclass

from .errors import printable
from .sandbox import Limits, View

TESTING = Limits()
NOT_IMPLEMENTED = 77


@dataclass
class Verdict:
    test: str
    passed: bool
    why: str = ""

    @property
    def step(self):
        return self.test.split()[0]


def judge(ground, program, sandbox):
    return [one(name, program, sandbox) for name in ground.tests]


def one(name, program, sandbox):
    nonce = secrets.token_hex(16)
    inside = "/program/tests" if sandbox.walled else str(program)
    environment = (
        {"FIBERSCOPE_NONCE": nonce, "FIBERSCOPE_TRACE": "/tmp/trace.json"}
        if sandbox.walled
        else {"FIBERSCOPE_NONCE": nonce}
    )
    view = View([(program.parent, "/program")]) if sandbox.walled else View(workdir=str(program.parent))
    outcome = sandbox.run([inside, "--one", name], view, TESTING, environment, with_report=True)
    return Verdict(name, *verdict_on(outcome, nonce))


def verdict_on(outcome, nonce):
    """(passed, why not). Passed is one report of the end, with our nonce, without any failure beside it, and exit
    status 0."""
    lines = [line.split("\t") for line in outcome.report.splitlines()]
    kinds = [line[0] for line in lines]
    if outcome.why:
        return False, outcome.why
    if "not-implemented" in kinds or outcome.status == NOT_IMPLEMENTED:
        return False, "not implemented yet"
    if "failed" in kinds:
        return False, "an assertion failed: %s" % printable(" ".join(lines[kinds.index("failed")][1:4]))
    if "fault" in kinds:
        return False, printable(lines[kinds.index("fault")][-1])
    if outcome.status < 0 or outcome.status > 128:
        return False, "it was ended by signal %d" % (-outcome.status if outcome.status < 0 else outcome.status - 128)
    if outcome.status != 0:
        return False, "it ended with status %d" % outcome.status
    ends = [line for line in lines if line[0] == "done"]
    if len(ends) != 1 or len(lines) != 1:
        return False, "the test did not come to its end" if not ends else "it reported its end %d times" % len(ends)
    if (
        len(ends[0]) != 4
        or ends[0][1] != nonce
        or not ends[0][2].isdigit()
        or int(ends[0][2]) == 0
        or ends[0][3] != "0"
    ):
        return False, "its report is not one of a test that passed"
    return True, ""
