#!/usr/bin/env python3
"""check.py BUILD: installs the recorder's library as a user does, and records with it: the example of
docs/record-your-own.md, C++20 coroutines, State Threads, Boost.Fiber, greenlet, gevent and Go. Every recording must be
valid, and byte-identical in each run if the program has its own clock. KEEP=FOLDER keeps the recordings there."""

import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "testing"))
from expect import ROOT, end, expect, output, run, tells, works  # noqa: E402

BUILD, ADAPTERS = Path(sys.argv[1]).resolve(), ROOT / "extras/adapters"
TESTS, SAMPLES, PYTHON = ADAPTERS / "tests", ADAPTERS / "samples", "/usr/bin/python3"
TRACE, PAGE = BUILD / "bin/fiberscope-trace", (ROOT / "docs/record-your-own.md").read_text()
EXAMPLE = re.search("^```c\n(.*?)^```", PAGE, re.M | re.S)[1]
CMAKE = """cmake_minimum_required(VERSION 3.22)
project(user C CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(fiberscope 0.2 REQUIRED)
find_package(Threads REQUIRED)
foreach(program cxx20_demo cxx20_transfer)
  add_executable(${program} FOLDER/${program}.cpp)
  target_link_libraries(${program} fiberscope::fiberscope_record Threads::Threads)
endforeach()
add_executable(cxx20_archive FOLDER/cxx20_demo.cpp)
target_link_libraries(cxx20_archive fiberscope::fiberscope_record_static)
"""

REFUSED = """#include <exception>
#include <fiberscope/coroutine.hpp>
struct Task {
    struct promise_type : fiberscope::recorded_promise {
        Task get_return_object() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
};
Task task() { co_return; }
"""


def is_here(what, package, found):
    if not found:
        print(f"{what} is not installed (Debian's package {package}): not tested")
    return found


def expect_sound(file):
    works(f"{file.name} is sound", TRACE, "check", file)


def events_of(file):
    """The events in order of their times."""
    return sorted(json.loads(file.read_text())["events"], key=lambda event: event["t"])


def count(events, **fields):
    """The number of events with these values."""
    return sum(all(event.get(field) == value for field, value in fields.items()) for event in events)


def expect_to_sleep(file, idle):
    """Checks a program whose tasks mostly sleep: machine 0 parks only while `idle` runs, and most of that time."""
    expect_sound(file)
    events = events_of(file)
    idles = {event["co"] for event in events if event.get("name") == idle}
    running, parked, last, parks, spent = None, False, 0, set(), {True: 0, False: 0}
    for event in (event for event in events if event["m"] == 0):
        if running in idles:
            spent[parked] += event["t"] - last
        running, last = event["to"] if event["ev"] == "switch" else running, event["t"]
        if event.get("op") in ("park", "unpark"):
            parked = event["op"] == "park"
            parks.add(running)
    expect(parks and parks <= idles, f"{file.name}: it only parks in {idle}", f"{parks}, not {idles}")
    expect(spent[True] > spent[False], f"{file.name}: it is parked while it waits", str(spent))
    tasks = {event["co"] for event in events if event.get("kind") == "task"}
    ended = {event["from"] for event in events if event["ev"] == "switch" and event["left"] == "dead"}
    expect(tasks and tasks <= ended, f"{file.name}: all tasks have ended", str(tasks - ended))
    return events


def records_the_sample(sample, *program):
    """Two recordings must be identical, valid and equal to the sample."""
    files = [work / sample, work / f"{sample}.again"]
    for file in files:
        works(f"it records {sample}", *program, file)
    works(f"two recordings of {sample} are identical", "cmp", files)
    works(f"{sample} is up to date", "cmp", SAMPLES / sample, files[0])
    expect_sound(files[0])


def commands_of_the_page():
    """Runs the blocks of the page, with other home and build directories: the first one in the root of the tree, the
    second elsewhere. Variables are unset, so that a variable missing on the page is noticed."""
    blocks = re.findall("^```console\n(.*?)^```", PAGE, re.M | re.S)
    install, compile = (block.replace("$ ", "").replace("build/default", str(BUILD)) for block in blocks[:2])
    (work / "example.c").write_text(EXAMPLE)
    clean = {"HOME": str(work), "PKG_CONFIG_PATH": None, "LD_LIBRARY_PATH": None, "CPATH": None, "LIBRARY_PATH": None}
    works("the page installs it", ["bash", "-ec", install], cwd=ROOT, **clean)
    works("the page compiles and runs the example", ["bash", "-ec", compile], cwd=work, **clean)
    expect_sound(work / "mine.json")
    expect((work / "mine.json").read_text().count('"text":"working"') == 6, "both have worked three times")


def flags_of_a_copy():
    """Checks an installed copy that was moved, and returns its compiler flags. Python finds it without variables."""
    (work / ".local").rename(work / "usr")
    os.environ.update(PYTHONPATH=f"{work}/usr/share/fiberscope", PYTHONDONTWRITEBYTECODE="1")
    os.environ.update(PKG_CONFIG_PATH=f"{work}/usr/lib/pkgconfig")
    library = work / "usr/lib/libfiberscope_record.so"
    tells("it only needs the C library", ["readelf -d", library], never=r"NEEDED.*\[(?!libc\.so|ld-linux|libm\.so)")
    tells("it only exports its own functions", ["nm -D --defined-only", library], never="^(?!.* fiberscope_).")
    return output("pkg-config --cflags --libs fiberscope")


def by_c():
    expect(EXAMPLE.count("\n") <= 40, "the example has 40 lines")
    works("it is C99", "cc -std=gnu99 -Wall -Wextra -Werror -o example example.c", flags, cwd=work)
    program, file = work / "threads", work / "threads.json"
    works("threads compile", "cc -std=gnu99 -Wall -Wextra -Werror -pthread -o", [program, TESTS / "threads.c"], flags)
    works("threads that end and block", program, file)
    expect_sound(file)
    events = events_of(file)
    threads = [event["co"] for event in events if event["ev"] == "spawn"]
    dead = [event["co"] for event in events if event["ev"] == "state" and event["to"] == "dead"]
    expect(len(threads) == 201 and sorted(dead) == threads[1:], "200 short threads have ended, main has not")
    expect(count(events, op="stop") == 200, "their machines have stopped")
    expect(count(events, op="park", object="a lock") == count(events, op="unpark", object="a lock") == 200,
           "each was parked once, although it parked twice")  # fmt: skip
    tells("names set later", [TRACE, "state", file], r"^ +\d+ short \(200\) \(dead\)|^ +\d+ short \(dead\)")


def by_cxx20():
    (work / "CMakeLists.txt").write_text(CMAKE.replace("FOLDER", str(TESTS)))
    works("CMake finds it", f"cmake -S {work} -B {work}/build -DCMAKE_PREFIX_PATH={work}/usr")
    works("C++20 coroutines compile with it", "cmake --build", work / "build")
    for program in "cxx20_demo", "cxx20_archive":
        records_the_sample("cxx20_generator.json", work / "build" / program)
    tells("the archive needs no shared object", ["readelf -d", work / "build/cxx20_archive"], never="fiberscope_record")
    file = work / "cxx20_transfer.json"
    works("symmetric transfer is recorded", work / "build/cxx20_transfer", file)
    expect_sound(file)
    events = events_of(file)
    names = {event["co"]: event["name"] for event in events if event["ev"] in ("spawn", "name")}
    steps = [(names[event["from"]], names[event["to"]], event["why"]) for event in events if event["ev"] == "switch"]
    expected = [
        ("main", "detached", "start"), ("detached", "outer", "start"), ("outer", "middle", "start"),
        *2 * [("middle", "inner", "start"), ("inner", "main", "yield"), ("main", "inner", "resume"),
              ("inner", "middle", "jump")],
        ("middle", "outer", "jump"), ("outer", "detached", "jump"), ("detached", "main", "yield"),
        ("main", "detached", "resume"), ("detached", "main", "exit"),
        ("main", "moved", "start"), ("moved", "main", "yield"), ("", "moved", "resume"), ("moved", "", "exit"),
    ]  # fmt: skip
    expect(steps == expected, "each transfer is one switch", "\n".join(map(str, steps)))
    (work / "refused.cpp").write_text(REFUSED)
    tells("a final_suspend that is not recorded", ["c++ -std=c++20 -fsyntax-only", work / "refused.cpp", flags],
          r"returns recorded_final\(awaiter\)", status=1)  # fmt: skip


def compiled(source, compiler, libraries):
    program = work / source.split(".")[0]
    works(f"{source} compiles", f"{compiler} -Wall -Wextra -Werror -o", program, TESTS / source, flags, libraries)
    return program


def by_state_threads():
    for compiler in "cc", "cc -O2 -D_FORTIFY_SOURCE=2", "c++ -x c++":
        program = compiled("st_demo.c", compiler, "-x none -lst")
    records_the_sample("st_producer_consumer.json", program)
    file = work / "st_sleep.json"
    works("threads of st that sleep", compiled("st_sleep.c", "cc", "-lst"), file)
    events = expect_to_sleep(file, "idle")
    expect(count(events, kind="task") == 4, "each thread is one coroutine, even while st frees it")


def by_boost_fiber():
    compiler, libraries = "c++ -std=c++17 -O1", "-lboost_fiber -lboost_context -pthread"
    records_the_sample("boost_producer_consumer.json", compiled("boost_demo.cpp", compiler, libraries))
    file = work / "boost_threads.json"
    program = compiled("boost_threads.cpp", compiler, libraries)
    sleeps = int(tells("fibers on three threads", [program, file], status=0).said)
    events = expect_to_sleep(file, "dispatcher")
    names = [event["name"] for event in events if event.get("kind") == "thread"]
    expect(sorted(names) in (["helper", "main", "thread 3"], ["helper", "main", "thread 2"]), "threads", str(names))
    expect(count(events, kind="task") == 7, "a fiber that migrates between threads is one coroutine")
    ran = {(event["to"], event["m"]) for event in events if event["ev"] == "switch"}
    tasks = {event["co"] for event in events if event.get("kind") == "task"}
    expect(any(len({m for co, m in ran if co == task}) > 1 for task in tasks), "fibers migrate")
    expect("first" in file.read_text() and "fiber 7" in file.read_text(), "fibers with and without names")
    expect(count(events, op="stop") == 2, "the helpers have stopped")
    swaps = [event for event in events if event["ev"] == "switch" and event["from"] in tasks]
    expect(count(swaps, left="waiting") == sleeps, "a sleeping fiber is waiting", str(count(swaps, left="waiting")))
    expect(count(swaps, left="suspended") >= 6 * 20, "a yielding fiber is not")


def by_python():
    if is_here(f"greenlet for {PYTHON}", "python3-greenlet", run(PYTHON, "-c 'import greenlet'").status == 0):
        records_the_sample("greenlet_ping_pong.json", PYTHON, TESTS / "greenlet_demo.py")
    if is_here(f"gevent for {PYTHON}", "python3-gevent", run(PYTHON, "-c 'import gevent'").status == 0):
        file = work / "gevent.json"
        works("gevent's tasks are recorded", PYTHON, TESTS / "gevent_demo.py", file)
        events = expect_to_sleep(file, "Hub")
        expect(count(events, kind="scheduler", name="Hub") == 1, "the hub is the scheduler")
        tasks = {event["name"] for event in events if event["ev"] == "spawn" and event["kind"] == "task"}
        expect(tasks == {"producer", "consumer", "<lambda>"}, "the tasks have their functions' names", str(tasks))
        expect(count(events, ev="name", name="root") == 1, "a name set later")


def read_go(trace, file, *words):
    """Converts Go's trace with the installed file."""
    works(f"{trace} is read", PYTHON, work / "usr/share/fiberscope/fiberscope_go.py", trace, file, *words)
    expect_sound(file)
    return file.read_text()


def refuses(trace, file, words):
    """There must be a one-line error, and no file written; a file that is not regular must not be replaced."""
    kept, call = file.exists(), [PYTHON, work / "usr/share/fiberscope/fiberscope_go.py", trace, file]
    tells(f"{trace} is refused", [call], rf"\Aerror: .*{words}.*\n\Z", status=1)
    expect(file.exists() == kept and not file.is_file(), f"{file} is unchanged")


def by_text_of_go():
    """Converts the output of `go tool trace` of Go 1.24, so Go is not needed; without the lines with file names."""
    sample = SAMPLES / "go_1_24_producer_consumer"
    text = read_go(f"{sample}.txt", work / "go_1_24.json", "--program producer_consumer")
    expect(text == Path(f"{sample}.json").read_text(), "the conversion of Go 1.24's text is up to date")
    names = ["main.main", "main.producer", "main.consumer"]
    expect(all(f'"kind":"task","name":"{name}"' in text for name in names), "goroutines have their functions' names")
    expect(text.count('"text":"took one"') == 4, "its log messages are notes")


def by_go():
    trace, sample = work / "go.trace", SAMPLES / "go_producer_consumer"
    works("Go compiles", "go build -o", [work / "go_demo", TESTS / "go_demo.go"], GOCACHE=str(work / "go"))
    works("Go traces it", work / "go_demo", trace)
    text = read_go(trace, work / "go.json")
    expect('"kind":"task","name":"main.producer"' in text, "goroutines have the names of their functions")
    expect(re.search('"left":"waiting","reason":"(sends|receives)', text), "a goroutine waits for the channel")
    expect(text.count('"text":"took one"') == 4, "its log messages are notes")
    again = read_go(f"{sample}.trace", work / "go_sample.json", "--program producer_consumer")
    version = int(re.search(r"go1\.(\d+)", output("go version"))[1])
    if version < 22:  # newer versions convert older traces
        expect(again == Path(f"{sample}.json").read_text(), "the conversion of the sample is up to date")
    os.mkfifo(work / "pipe")
    refuses(trace, work / "pipe", "pipe is not a regular file")
    refuses(trace, Path("/dev/null"), "/dev/null is not a regular file")
    # Parsed as an event, "bc" would have two arguments, and the second would be the beginning of the name.
    log, name = r"\xf0\x04\0\0\5\0\3abc", r"\x25\x07\4main"
    names = f"fiberscope_go.Names(b'go 1.19 trace\\0\\0\\0{log}{name}', 'made').strings == {{7: 'main'}}"
    works("names after a message are read", PYTHON, ["-c", f"import fiberscope_go; assert {names}"])
    cut = Path(f"{sample}.trace").read_bytes()[:300]
    for made, content, words in (
        ("damaged", cut + b"\xff" * 40, "damaged.trace"),
        ("cut", cut, "cut.trace"),
        ("later", b"go 1.24 trace\0\0\0", "later.trace" if version > 22 else "install Go 1.23 or newer, or give"),
        ("older", b"go 1.10 trace\0\0\0", "Go 1.11 and newer"),
        ("none", (work / "example.c").read_bytes(), "not an execution trace of Go"),
    ):
        (work / f"{made}.trace").write_bytes(content)
        refuses(work / f"{made}.trace", work / "refused.json", words)


with tempfile.TemporaryDirectory() as place:
    work = Path(place)
    commands_of_the_page()
    flags = flags_of_a_copy()
    by_c()
    by_cxx20()
    if is_here("State Threads", "libst-dev", Path("/usr/include/st.h").exists()):
        by_state_threads()
    if is_here("Boost.Fiber", "libboost-fiber-dev", Path("/usr/include/boost/fiber/all.hpp").exists()):
        by_boost_fiber()
    by_python()
    by_text_of_go()
    if is_here("Go", "golang-go", shutil.which("go")):
        by_go()
    for file in work.glob("*.json") if os.environ.get("KEEP") else ():
        shutil.copy(file, os.environ["KEEP"])
end("adapters")
