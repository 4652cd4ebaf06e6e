#!/usr/bin/env python3
"""./lab test: runs the parts of the test suite (parts.py). Each part logs to build/logs/run-PART.log, and its
compilation to build/logs/build-PART.log. A thread with low priority compiles for one part after another, so that
processors are not idle while a test sleeps. Parts with their own build (BESIDE) run in parallel with the others."""

import argparse
import atexit
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback

import parts
import slowest
from parts import ALL_ONLY, BESIDE, FIRST, PARTS, LeftOut

LOGS = "build/logs"
PROGRESS_SECONDS = 15
PASSED = re.compile(r"^.*?(\d+) passed, (\d+) failed$", re.M)
groups = set()  # process groups to be terminated at exit


def run(command, log, nice=0):
    """Runs a part's command in its own process group: (status, CPU seconds)."""
    call = ["nice", "-n", str(nice), "bash", "-eo", "pipefail", "-c", command]
    process = subprocess.Popen(call, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    groups.add(process.pid)
    _, status, use = os.wait4(process.pid, 0)
    groups.discard(process.pid)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, use.ru_utime + use.ru_stime


def end_all():
    for group in list(groups):
        try:
            os.killpg(group, signal.SIGTERM)
        except ProcessLookupError:
            pass


class Run:
    def __init__(self, names, long):
        self.names, self.long = names, long
        self.built = {name: threading.Event() for name in names}
        self.done = {name: threading.Event() for name in names}
        self.build_status, self.seconds, self.results = {}, {}, {}

    def build(self):
        for name in self.names:
            self.build_status[name] = self.attempt(name, "build", nice=19)
            self.built[name].set()

    def attempt(self, name, what, nice=0):
        """Runs a part's command. Returns its exit status, or the reason for which the part is skipped. An exception is
        a failure of the part, with the traceback in its log."""
        with open(f"{LOGS}/{what}-{name}.log", "w") as log:
            try:
                status, self.seconds[name, what] = run(getattr(PARTS[name], what)(self.long), log, nice)
                return status
            except LeftOut as why:
                return str(why)
            except Exception:
                traceback.print_exc(file=log)
                return 1

    def perform(self, name):
        """Waits for the build of a part and runs it: (status, why it was skipped)."""
        self.built[name].wait()
        status = self.build_status[name]
        if isinstance(status, str):
            return 77, status
        if status != 0:
            shutil.copy(f"{LOGS}/build-{name}.log", f"{LOGS}/run-{name}.log")
            return status, ""
        status = self.attempt(name, "run")
        if isinstance(status, str):
            return 77, status
        lines = text_of(name).splitlines()
        return status, lines[-1] if lines else ""

    def perform_all(self, names):
        """Runs these parts one after another."""
        for name in names:
            begin = time.monotonic()
            self.results[name] = *self.perform(name), time.monotonic() - begin
            self.done[name].set()

    def report(self, number, name):
        """Prints the result of a finished part: (passed, failed)."""
        print(f"{number:2d}/{len(self.names)}  {name:9s} ", end="", flush=True)
        waited = 0
        while not self.done[name].wait(PROGRESS_SECONDS):
            waited += PROGRESS_SECONDS
            print(f"\n       still {self.progress(name)} after {waited} s", end=" ", flush=True)
        status, last, seconds = self.results[name]
        if status == 77:
            print(f"skipped: {last}")
            return 0, int(os.environ.get("CI") == "true")
        text = text_of(name)
        found = [(int(good), int(bad)) for good, bad in PASSED.findall(re.sub(r".*09_broken.*", "", text))]
        good, bad = (sum(column) for column in zip(*found)) if found else (int(status == 0), 0)
        bad = max(bad, int(status != 0))
        used = sum(self.seconds.get((name, what), 0) for what in ("build", "run"))
        took = f"{seconds:.0f} s ({used:.0f} CPU seconds)"
        if bad == 0:
            print(f"ok      {took}, {good} passed")
        else:
            print(f"FAILED  {took}, {bad} failed; last lines of {LOGS}/run-{name}.log:")
            print("".join(f"    | {line}\n" for line in text.splitlines()[-60:]), end="")
        return good, bad

    def progress(self, name):
        """The current activity of a part: building or running."""
        if self.built[name].is_set():
            return "running"
        compiled = next(one for one in self.names if not self.built[one].is_set())
        try:
            found = re.findall(r"^\[(\d+/\d+)\]", text_of(compiled, "build"), re.M)
        except OSError:
            found = []
        return f"building ({found[-1]})" if found else "building"

    def all(self):
        os.makedirs(LOGS, exist_ok=True)
        threading.Thread(target=self.build, daemon=True).start()
        beside = set() if self.long else BESIDE  # measurements of --long run alone
        for lane in ([n for n in self.names if n not in beside], [n for n in self.names if n in beside]):
            threading.Thread(target=self.perform_all, args=[lane], daemon=True).start()
        counts = [self.report(number, name) for number, name in enumerate(self.names, 1)]
        with open(f"{LOGS}/processor-seconds", "w") as file:
            for (name, what), seconds in self.seconds.items():
                file.write(f"{name} {what} {seconds:.1f}\n")
        print(f"\n{sum(self.seconds.values()):.0f} CPU seconds ({LOGS}/processor-seconds)")
        if len(self.names) > len(FIRST):
            slowest.report("build/default")
        good, bad = (sum(column) for column in zip(*counts))
        print(f"{good} passed, {bad} failed")
        return 0 if bad == 0 and good > 0 else 1


def text_of(name, what="run"):
    with open(f"{LOGS}/{what}-{name}.log", errors="replace") as log:
        return log.read()


def use_memory_for_temporary_files():
    """Sets TMPDIR to memory if there is enough and programs may run there. Tests delete thousands of files, and ext4
    creates files slowly for a minute after that."""
    if "TMPDIR" in os.environ or not os.path.isdir("/dev/shm") or shutil.disk_usage("/dev/shm").free < 8 << 30:
        return
    folder = tempfile.mkdtemp(prefix="fiberscope-", dir="/dev/shm")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.chmod(folder, 0o1777)  # as for /tmp: the grader runs submissions as other users
    shutil.copy("/bin/true", folder)
    try:
        subprocess.run([folder + "/true"], check=True)
        os.environ["TMPDIR"] = folder
    except OSError:
        pass


def main():
    parser = argparse.ArgumentParser(prog="./lab test", description="Run the tests that a change usually breaks.")
    parser.add_argument("--all", action="store_true", help="run all parts")
    parser.add_argument("--rest", action="store_true", help="run the other parts of CI: sanitizers, wrong solutions, …")
    parser.add_argument(
        "--only", metavar="PART", action="append", choices=PARTS, help="run only this part; may be repeated"
    )
    parser.add_argument("--list", action="store_true", help="list the parts")
    parser.add_argument(
        "--long", action="store_true", help="run longer: fuzzing, all of aarch64, complete benchmarks"
    )
    given = parser.parse_args()
    if given.list:
        print(*PARTS)
        return 0
    rest = [name for name in PARTS if name not in FIRST and name not in ALL_ONLY]
    names = given.only or (list(PARTS) if given.all or given.long else rest if given.rest else FIRST)
    install = f". cmake/packages.sh && install_for_test {'first' if names == FIRST else 'all'}"
    if subprocess.run(["bash", "-c", install]).returncode != 0:
        return 1
    use_memory_for_temporary_files()
    atexit.register(end_all)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
    if given.only and not set(given.only) <= parts.WHOLE_BUILD:
        names = ["build", *names] if "build" not in names else names
    return Run(names, given.long).all()


if __name__ == "__main__":
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
