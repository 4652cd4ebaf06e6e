"""Runs each test of the lab in its own process and sandbox, and grades it by its report and exit status."""

import functools
import secrets
import subprocess
from dataclasses import dataclass

from .errors import Trouble, printable
from .sandbox import Limits, View

TESTING = Limits()
NOT_IMPLEMENTED = 77


@dataclass
class Verdict:
    test: str
    passed: bool
    why: str = ""
    slow: bool = False

    @property
    def step(self):
        return self.test.split()[0]


QUESTION = "%s answers a question that only the grader knows"
QUESTIONED = 3  # number of times that each question is asked, with different values


def judge(setup, programs, sandbox):
    """`programs`: {"tests": path, "proof": path}, the latter where the lab has questions. Step by step: what uses up
    the submission's limit takes nothing from the steps before, and an endless loop takes one limit of its step, since
    the rest of the step is then not run."""
    verdicts = []
    for step in (one["step"] for one in setup.steps):
        own = [name for name in setup.tests if name.split()[0] == step]
        judged = {name: functools.partial(test, name, programs["tests"], sandbox) for name in own}
        if step in setup.questions:
            judged[QUESTION % step] = functools.partial(proof, setup, step, programs["proof"], sandbox)
        slow = False
        for name, run in judged.items():
            not_run = Verdict(name, False, "not run: another test of this step ran too long", slow=True)
            verdicts.append(not_run if slow else run())
            slow = verdicts[-1].slow
    return verdicts


def test(name, program, sandbox):
    nonce = secrets.token_hex(16)
    environment = {"FIBERSCOPE_NONCE": nonce}
    outcome = in_place(program, ["--one", name], sandbox, environment)
    return Verdict(name, *verdict_on(outcome, nonce), slow=outcome.slow)


def in_place(program, arguments, sandbox, environment):
    """Runs it in a clean directory."""
    view = View([(program.parent, "/program")])
    environment = {**environment, "FIBERSCOPE_TRACE": "%s/trace.json" % view.workdir}
    return sandbox.run(["/program/" + program.name] + arguments, view, TESTING, environment, with_report=True)


def proof(setup, step, program, sandbox):
    """Asks a question with values that only this process knows; compares the answer with the reference's, which no
    submission can see."""
    name = QUESTION % step
    for _ in range(QUESTIONED):
        question = [setup.questions[step], str(secrets.randbits(63))]
        outcome = in_place(program, question, sandbox, {})
        if outcome.why or outcome.status != 0:
            return Verdict(name, False, outcome.why or "it exited with status %d" % outcome.status)
        if outcome.output != answer_of_reference(setup, question):
            return Verdict(name, False, "the answer to %s is wrong" % " ".join(question))
    return Verdict(name, True)


def answer_of_reference(setup, question):
    program = setup.kept / "bin" / ("lab%s_proof_reference" % setup.number)
    answer = subprocess.run([str(program)] + question, capture_output=True, text=True, timeout=TESTING.wall)
    if answer.returncode != 0 or not answer.stdout:
        raise Trouble("the reference of lab %s does not answer %s" % (setup.number, " ".join(question)))
    return answer.stdout


def verdict_on(outcome, nonce):
    """(passed, why not). A test has passed if it reported its end once with our nonce, reported no failure, and exited
    with 0."""
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
        return False, "it was killed by signal %d" % (-outcome.status if outcome.status < 0 else outcome.status - 128)
    if outcome.status != 0:
        return False, "it exited with status %d" % outcome.status
    ends = [line for line in lines if line[0] == "done"]
    if len(ends) != 1 or len(lines) != 1:
        return False, "the test did not complete" if not ends else "it reported completion %d times" % len(ends)
    if (
        len(ends[0]) != 4
        or ends[0][1] != nonce
        or not ends[0][2].isdigit()
        or int(ends[0][2]) == 0
        or ends[0][3] != "0"
    ):
        return False, "its report is not that of a passed test"
    return True, ""
