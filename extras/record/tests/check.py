#!/usr/bin/env python3
"""check.py BUILD: records programs that know nothing of fiberscope by ./lab record. Each recording must be valid."""

import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "testing"))
from expect import ROOT, end, expect, run, tells, works  # noqa: E402

BUILD, HERE, LAB = Path(sys.argv[1]).resolve(), Path(__file__).resolve().parent, ROOT / "lab"
TRACE = BUILD / "bin/fiberscope-trace"


def events_of(file):
    return sorted(json.loads(file.read_text())["events"], key=lambda event: event["t"])


def all_of(events, **fields):
    return [event for event in events if all(event.get(field) == value for field, value in fields.items())]


def switches(events):
    """(from, to) of each switch; coroutines are numbered in the order in which they appear here."""
    numbers = {}
    switched = all_of(events, ev="switch")
    return [tuple(numbers.setdefault(event[end], len(numbers)) for end in ("from", "to")) for event in switched]


def steps(events):
    names = {event["co"]: event["name"] for event in all_of(events, ev="spawn")}
    return [(names[event["from"]], names[event["to"]], event["why"]) for event in all_of(events, ev="switch")]


def recorded(*program, status=0, says=r"lab: recorded: ", expects_end=True):
    """Records a program, and returns the events."""
    file = work / "recorded.json"
    file.unlink(missing_ok=True)
    tells(f"{program[-1]} is recorded", [LAB, "record --out", file, *program], says, status=status, limit=60)
    works(f"the recording of {program[-1]} is sound", TRACE, "check", file)
    if expects_end:
        return events_of(file)
    return [json.loads(line.rstrip(",")) for line in file.read_text().splitlines() if line.startswith('{"t"')]


def of_ucontext():
    program = work / "program"
    works("it compiles", "cc -O1 -Wall -Wextra -pthread -o", program, HERE / "program.c")
    whole_of_two = ["start", "yield", "resume", "exit"]
    into, back = ("main", "count", "resume"), ("count", "main", "yield")
    whole = [("main", "count", "start"), back, into, back, into, ("count", "main", "exit")]
    expect(steps(recorded(program, "ends")) == whole, "each resume, yield and the end")
    faults = recorded(program, "overflows", status=139, says="signal SEGV ended")
    expect(all_of(faults, ev="fault", text="SIGSEGV", co=1), "a stack overflow is the last event")
    expect(all_of(recorded(program, "aborts", status=134), ev="fault", text="SIGABRT", co=1), "so is a call of abort")
    expect(steps(recorded(program, "leaves", status=7)) == whole[:4], "nothing is lost by _exit")
    killed = recorded(program, "is_killed", status=137, expects_end=False)
    expect(len(all_of(killed, ev="switch")) == 4, "what was recorded a second before SIGKILL is in the file")
    events = recorded(program, "passes_eight_arguments", says="^36$")
    expect(all_of(events, why="exit"), "a function with eight arguments ends")
    recorded(program, "ends_without_link")
    for case in "shares_stack", "copies_context":
        expect([why for _, _, why in steps(recorded(program, case))] == whole_of_two, f"{case}: each switch")
    of_ends(program)
    of_fork(program)
    of_threads(program)


def of_ends(program):
    once = 4  # switches
    recorded(program, "leaves_main")
    for case, status, runs in ("runs_at_exit", 0, 2), ("leaves_by_Exit", 7, 1), ("ends_by_SIGALRM", 142, 1):
        said = "signal ALRM" if status == 142 else "recorded"
        events = recorded(program, case, status=status, says=said)
        expect(len(all_of(events, ev="switch")) == once * runs, f"{case}: nothing is lost", str(events))
    expect(len(all_of(recorded(program, "uses_key"), ev="switch")) == 3 * once, "destructors of keys are recorded")


def of_fork(program):
    parent = recorded(program, "forks", says=r"recorded\.json .*recorded\.[0-9]+\.json$")
    expect(len(all_of(parent, ev="switch")) == 4, "the parent's file has its own switches only", str(parent))
    (file,) = work.glob("recorded.*.json")
    works("the child's recording is sound", TRACE, "check", file)
    whys = [why for _, _, why in steps(events_of(file))]
    expect(whys == ["start", "yield"], "the child begins with the coroutine that called fork", str(whys))
    file.unlink()
    recorded(program, "forks_often")
    for file in work.glob("recorded.*.json"):
        file.unlink()


def of_threads(program):
    events = recorded(program, "has_threads")
    threads = {event["name"]: event["m"] for event in all_of(events, kind="thread")}
    expect(sorted(threads) == ["main", "wait_for_byte", "work", "work 2"], "threads have their functions' names")
    parked = {(name, event["object"]) for name, m in threads.items() for event in all_of(events, m=m, op="park")}
    wanted = {("main", "pthread_join"), ("wait_for_byte", "read"), ("work", "nanosleep"), ("work", "poll")}
    expect(wanted <= parked, "they park where they block", str(parked))
    expect(len(all_of(events, op="stop")) == 3, "they end")
    recorded(program, "cancels")
    recorded(program, "jumps_out")
    recorded(program, "makes_many_threads")
    tells("a program closes all files", [LAB, "record --out", work / "closed.json", program, "closes_all"], status=0)


def of_boost():
    program = work / "fibers"
    works("Boost's compile", "c++ -O1 -pthread -o", program, HERE / "fibers.cpp", "-lboost_fiber -lboost_context")
    events = recorded(program)
    numbers = "(anonymous namespace)::Numbers"
    of_context = [step for step in steps(events) if numbers in step]
    turns = [("main", numbers, "resume"), (numbers, "main", "yield")]
    # Boost enters a coroutine once to pass it its function.
    whole = [("main", numbers, "start"), turns[1], *3 * turns, turns[0], (numbers, "main", "exit")]
    expect(of_context == whole, "a coroutine of Boost.Context", str(of_context))
    ended = [step for step in steps(events) if step[0] == numbers + " 2"]
    expect(ended[-1][2] == "exit", "a coroutine that is destroyed ends", str(ended))
    names = {event["name"] for event in all_of(events, kind="task")}
    expect({"fiber", "fiber 2", "main::{lambda#1}", "dispatcher"} <= names, "fibers have names", str(names))
    expect(all_of(events, op="park", object="pthread_cond_clockwait"), "a thread without a ready fiber parks")
    plugin = work / "plugin.so"
    works("a plugin", "c++ -fPIC -shared -o", plugin, HERE / "fibers.cpp", "-lboost_fiber -lboost_context")
    (work / "loads_plugin.py").write_text(f"import ctypes; ctypes.CDLL('{plugin}').main()")
    recorded("/usr/bin/python3", work / "loads_plugin.py")


def of_lab_02():
    """The demos record themselves at the same time. Both recordings must show the same switches."""
    for demo in "four_calls", "fiber_scheduler", "pool":
        own = work / "own.json"
        events = recorded(BUILD / "bin/lab02_demo", demo, "--out", own)
        expect(switches(events) == switches(events_of(own)), f"{demo}: the same switches as by our recorder")


def of_greenlet():
    program, file = work / "greenlets.py", work / "greenlets.json"
    program.write_text("""import greenlet, sys
def count(): [main.switch(i) for i in range(int(sys.argv[1]))]
main = greenlet.getcurrent()
counter = greenlet.greenlet(count)
for i in range(3): counter.switch()
""")
    adapter = ROOT / "extras/adapters/python/fiberscope_greenlet.py"
    library = next((BUILD / "extras/adapters").glob("libfiberscope_record.so"))
    works("greenlets are recorded", "/usr/bin/python3", adapter, file, program, "2", FIBERSCOPE_RECORD=str(library))
    works("the recording of greenlets is sound", TRACE, "check", file)
    entered = [to for _, to, _ in steps(events_of(file))]
    expect(entered == 3 * ["greenlet", "main"], "each switch", str(entered))


def of_nothing():
    file = work / "kept.json"
    file.write_text("kept")
    missing = r"no recording: true has created no coroutine", "statically"
    tells("a program without coroutines", [LAB, "record --out", file, "true"], *missing, status=1)
    expect(file.read_text() == "kept", "its file is unchanged")
    tells("an unknown program", [LAB, "record", "no_such_program"], "no_such_program: command not found", status=2)
    refused = [LAB, "record --out /proc/x.json", work / "program", "ends"]
    tells("a file that cannot be written", refused, "cannot write /proc/x.json: ", never="no recording", status=1)
    tells("a word of the shell", [LAB, "record", "cd"], "cd: command not found", status=2)
    tells("control characters", [LAB, "record", "no\x1b[31m"], r"\\E\[31m': command not found", status=2)
    tells("a status above 128", [LAB, "record", "bash -c 'exit 200'"], never="signal", status=200)
    tells("descriptor 3", [["bash", "-c", f"{LAB} record bash -c 'echo text >&3' 3>&1"]], "^text$")
    tells("no program", [LAB, "record"], r"missing PROGRAM \(usage: ", status=2)


def of_time():
    """A recorded switch costs at most three times the CPU time of an unrecorded one; the least of several runs."""
    program, file = work / "program", work / "switches.json"
    plain = min(run(program, "switches").used for _ in range(3))
    settings = {"LD_PRELOAD": str(BUILD / "bin/fiberscope_preload.so"), "FIBERSCOPE_TRACE_FILE": str(file)}
    traced = min(run(program, "switches", **settings).used for _ in range(3))
    print(f"CPU time of a recorded swapcontext: {traced / plain:.1f} times that of an unrecorded one")
    expect(traced <= 3 * plain, "recording costs at most three times as much", f"{traced:.2f} s, not {plain:.2f} s")


with tempfile.TemporaryDirectory() as place:
    work = Path(place)
    of_ucontext()
    if Path("/usr/include/boost/fiber/all.hpp").exists():
        of_boost()
    of_lab_02()
    if run("/usr/bin/python3 -c 'import greenlet'").status == 0:
        of_greenlet()
    of_nothing()
    if not os.environ.get("WITHOUT_TIME"):
        of_time()
    works("Perfetto's format", TRACE, "export", work / "recorded.json", "--out", work / "perfetto.json")
    expect(json.loads((work / "perfetto.json").read_text())["traceEvents"], "it has events")
end("record")
