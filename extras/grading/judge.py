"""Runs each test of the lab in its own process and sandbox, and grades it by its report and exit status."""

import functools
import secrets
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

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
    """`programs`: {"tests": path, "proof": path}, the latter if the lab has questions. Runs step by step, so that a
    test that exhausts the submission's budget does not affect earlier steps, and an endless loop uses one limit of its
    step."""
    verdicts = []
    for step in (one["step"] for one in setup.steps):
        verdicts += tests_of(setup, step, programs["tests"], sandbox)
        if step in setup.questions:
            after = verdicts[-1:] if verdicts and verdicts[-1].step == step else []
            asked = functools.partial(proof, setup, step, programs["proof"], sandbox)
            verdicts.append(unless_slow(after, QUESTION % step, asked))
    return verdicts


def tests_of(setup, step, program, sandbox):
    verdicts = []
    for name in setup.tests:
        if name.split()[0] == step:
            verdicts.append(unless_slow(verdicts[-1:], name, lambda: test(name, program, sandbox)))
    return verdicts


def unless_slow(before, name, judged):
    """The verdict; if the previous test of the step timed out, this one is not run."""
    if any(one.slow for one in before):
        return Verdict(name, False, "not run: another test of this step ran too long", slow=True)
    return judged()


def test(name, program, sandbox):
    nonce = secrets.token_hex(16)
    environment = {"FIBERSCOPE_NONCE": nonce}
    outcome = in_place(program, ["--one", name], sandbox, environment)
    return Verdict(name, *verdict_on(outcome, nonce), slow=outcome.slow)


def in_place(program, arguments, sandbox, environment):
    """Runs it in a clean directory."""
    if sandbox.walled:
        command, view, folder = "/program/" + program.name, View([(program.parent, "/program")]), None
    else:
        folder = Path(tempfile.mkdtemp(prefix="test_", dir=program.parent.parent))
        folder.chmod(0o777)
        command, view = str(program), View(workdir=str(folder))
    environment = {**environment, "FIBERSCOPE_TRACE": "%s/trace.json" % view.workdir}
    outcome = sandbox.run([command] + arguments, view, TESTING, environment, with_report=True)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
    return outcome


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
