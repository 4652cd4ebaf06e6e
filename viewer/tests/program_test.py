#!/usr/bin/env python3
"""program_test.py VIEWER MAKER FOLDER: black-box test of the program: exit status, messages, output files. Works in
FOLDER, which the generator of traces MAKER fills."""

import os
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "testing"))
from expect import end, expect, tells, works  # noqa: E402

viewer, maker, folder = (Path(word).resolve() for word in sys.argv[1:])
ROUND, OWNERS, MACHINES = (f"traces/{name}.json" for name in ("round_robin", "owners_1", "machines"))
OWNERS += " traces/owners_2.json"


def expect_answer(status, words, options, **settings):
    tells(options, [viewer, options], re.escape(words), status=status, **settings)


def drawn(name, options, size="--size 1000x600"):
    """Renders a picture, checks that its name is printed, and returns its bytes."""
    expect_answer(0, name, f"{options} --render {name} {size}")
    picture = Path(name).read_bytes() if Path(name).exists() else b""
    expect(picture[1:4] == b"PNG", f"{name} is a PNG file")
    return picture


def changes(option, one, other):
    expect(one != other, f"{option} has an effect")


shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
os.chdir(folder)
if not works("traces are generated", maker, "traces"):
    end("the viewer's program")

picture = drawn("out/picture.png", f"{ROUND} --at 100 --select 3")
expect(os.listdir("out") == ["picture.png"], "the picture is the only new file")
expect(picture == drawn("again.png", f"{ROUND} --at 100 --select 3"), "rendering is deterministic")
last = drawn("end.png", f"{ROUND} --at end")
changes("--at and --select", last, picture)
changes("--theme", last, drawn("light.png", f"{ROUND} --at end --theme light"))
changes("--scale", last, drawn("large.png", f"{ROUND} --at end --scale 1.5"))
changes("--present", last, drawn("present.png", f"{ROUND} --at end --present"))
beside = drawn("beside.png", f"{OWNERS} --side-by-side")
changes("--side-by-side", beside, drawn("alone.png", OWNERS))
changes("--lock", beside, drawn("events.png", f"{OWNERS} --side-by-side --lock events"))
sets = drawn("sets.png", MACHINES)
changes("--sets", sets, drawn("no_sets.png", f"{MACHINES} --sets off"))
changes("--press", sets, drawn("pressed.png", f"{MACHINES} --press 'O o H'"))
expect_answer(2, "no such key", f"{MACHINES} --press 'O Hyper' --render wrong.png")

# A truncated file is shown with a warning; an unreadable one causes one sentence that names it, and no picture.
drawn("cut.png", "traces/cut.json", "--size 800x500")
for bad in "empty", "broken", "missing":
    expect_answer(1, f"{bad}.json", f"traces/{bad}.json --render {bad}.png --size 800x500")
    expect(not Path(f"{bad}.png").exists(), f"no picture for a file that is {bad}")
expect(len(drawn("states.png", f"{MACHINES} --panel states")) < len(sets), "a picture of one panel is smaller")
expect_answer(1, "is not in this window; expected one of sentence, lanes", f"{MACHINES} --render t.png --panel table")
expect_answer(2, "expected one of sentence", f"{MACHINES} --render t.png --panel everything")
os.mkfifo("fifo.json")
expect_answer(1, "fifo.json is not a regular file", "fifo.json --render fifo.png", limit=60)
expect_answer(1, "/dev/zero is not a regular file", "/dev/zero --render zero.png", limit=60)
expect_answer(1, "is a directory", "traces --render directory.png")
expect_answer(2, "give 0 to", f"{ROUND} --render at.png --at 1000000")
expect_answer(2, "coroutines: give 0 to 20", f"{ROUND} --render select.png --select 21")

expect_answer(1, "--render", ROUND)
expect_answer(2, "No trace", "--render none.png")
expect_answer(2, "--size", f"{ROUND} --size large")
expect_answer(0, "FILE", "--help")
nowhere = "traces/nested.json --render /proc/none/x.png --size 400x300"
expect_answer(1, "cannot write the picture /proc/none/x.png", nowhere)
expect_answer(1, "/proc/none/x.png：图片写不了", nowhere + " --language zh")
expect_answer(1, "打不开显示器", "traces/nested.json --language zh")
expect_answer(0, "x.png", "traces/nested.json --render x.png", PATH=str(folder / "none"))  # in its own process
end("the viewer's program")
