#!/usr/bin/env python3
"""aarch64.py LAB01_TESTS: tests the gdb commands on aarch64, on a test of lab 01 under qemu with qemu's gdb stub. Exits
with 77 if gdb-multiarch or qemu is not installed."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "testing"))
from expect import ROOT, end, leave_out, tells  # noqa: E402

SYSROOT = "/usr/aarch64-linux-gnu"
TEST = "1.3 A resumes B resumes C, and each yields to its resumer"
COMMANDS = "break fiberscope::lab01::yield(),continue,continue,continue,info coroutines,coroutine B,"
COMMANDS += "frame function yield_for_ever,up,coroutine off,coroutine all bt,kill"
PATTERNS = (
    "main +normal +resumed A and waits for it",
    r"B +suspended +yielded to its resumer +yield_for_ever at .*behaviour.h:",
    r"\* +[0-9]+ +A +running",
    "#[0-9]+ .*yield_for_ever",
    r"#[0-9]+ .*operator\(\)",
    "^coroutine [0-9]+ C: suspended",
    "context_start at .*start_aarch64.S",
)

if not (shutil.which("gdb-multiarch") and shutil.which("qemu-aarch64")):
    leave_out("gdb-multiarch or qemu-aarch64 is not installed (Debian's gdb-multiarch, qemu-user)")
program = Path(sys.argv[1]).resolve()
with tempfile.TemporaryDirectory() as work:
    stub = f"{work}/stub"
    call = ["qemu-aarch64", "-L", SYSROOT, "-g", stub, program, "--one", TEST]
    listing = {**os.environ, "FIBERSCOPE_LIST_COROUTINES": "1"}
    with subprocess.Popen(call, env=listing, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as emulator:
        for _ in range(100):
            if not os.path.exists(stub):
                time.sleep(0.1)
        commands = [f"set sysroot {SYSROOT}", f"target remote {stub}", *COMMANDS.split(",")]
        asked = [word for command in commands for word in ("-ex", command)]
        gdb = "gdb-multiarch -nx -batch -iex 'set auto-load no' -ex 'source extras/gdb/fiberscope.py'"
        tells("coroutines of aarch64", [gdb, asked, program], *PATTERNS, cwd=ROOT, limit=120)
        emulator.kill()
end("coroutines of aarch64 in gdb")
