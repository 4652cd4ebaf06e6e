#!/usr/bin/env python3
"""check.py PROGRAM: tests the gdb commands and printers on target.cpp, running and as a core dump. Exits with 77 if gdb
is not installed."""

import os
import resource
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "testing"))
from expect import ROOT, end, lab, leave_out, output, run, tells  # noqa: E402

STATES = (  # common to a running process and a core dump
    "main +normal +resumed the last",
    r"by asm +suspended +yielded to its resumer +.*yield_from_a_function.*target.cpp:",
    r"by ucontext +suspended +.*yield_by_ucontext.*target.cpp:",
    "not started +new +has not started",
    "ended +dead +has ended",
    "on the stack +suspended +.*yield_on_shared_stack.*target.cpp:",
    "sleeper +sleeping +sleeps until .* s .*sleep_in_a_function.*target.cpp:",
    "parked +waiting +waits for a full basket",
    "ready one +ready +can run",
    r"\* .*the last.* +running +on thread 1",
)
NEVER = "\x1b|KeyError|Python|Traceback"  # no control characters, untranslated texts or Python errors


def ask(commands, of, *patterns, never=NEVER, most=None, **environment):
    """Runs comma-separated gdb commands on a program with arguments, or on a core dump. The output must have a line
    matching each pattern, and none matching `never`."""
    asked = [word for command in commands.split(",") for word in ("-ex", command)]
    gdb = ["gdb", "-nx", "-batch", "-iex", "set auto-load no", "-ex", "source extras/gdb/fiberscope.py"]
    tells(commands, [gdb, asked, of], *patterns, never=never, most=most, cwd=ROOT, **environment)


def live(commands, *patterns, kind=(), **settings):
    ask("break stop_here,run," + commands, ["--args", program, *kind], *patterns, **settings)


def commands_on_a_process():
    in_place = "in an image +suspended +.*yield_on_shared_stack.*target.cpp:"
    live("info coroutines", *STATES, in_place)
    live("coroutine by asm,up 2,info locals,bt 10,coroutine off,bt 1,coroutine sleeper bt,coroutine in an image,"
         "coroutine in an image bt,coroutine nobody",
         "is shown from frame 1 on", r"#[0-9]+ .*yield_from_a_function \(argument=40\)", "^#0 +.*stop_here",
         "sleep_in_a_function at .*target.cpp:", r"are in its image \([0-9]+ bytes\)",
         "yield_on_shared_stack.* at .*target.cpp:", "there is no coroutine nobody")  # fmt: skip
    live("coroutine by asm,frame function yield_from_a_function,info locals,continue",
         "local_of_function = 41", "exited normally")  # fmt: skip
    live("info sets,up,print sleeper,print *early.task_", "ready: 1", "[●○] .*early", "sleeper, until .* s")
    for kind in "wheel", "heap":
        live("info sets,continue", rf"sleeping \(a {kind}, .*: 2", r"^    [0-9]+ sleeper, until 1000(\.[0-9]+)? s",
             r"^    [0-9]+ early, until 500(\.[0-9]+)? s", "ready: 1", "exited normally", kind=[kind])  # fmt: skip
    # During a switch: the step is recorded, but the registers are not saved yet.
    ask("break _switch,run,info coroutines,coroutine main bt,coroutine main,bt 3", ["--args", program],
        "main +normal +still runs on thread 1: a switch is about to leave it", "it runs: see `thread 1`",
        "^#0 +.*_switch", never=NEVER + "|they are damaged")  # fmt: skip
    # Unfinished code: cycles in sets, invalid saved registers and names. Everything is restored.
    damage = "source extras/gdb/tests/damage.py,continue"
    live(damage, "^damaged, asked [0-9]{3} times, wrong 0 times", "exited normally")


def in_chinese():
    """In a Chinese environment the output is Chinese, and columns are aligned."""
    live("help coroutine,info coroutines,coroutine,info sets,coroutine by asm,coroutine off,coroutine sleeper bt,"
         "coroutine in an image,coroutine nobody,up,print *early.task_",
         "^coroutine N：显示它的栈帧", "编号 +名字 +状态 +原因 +位置",
         "sleeper +睡眠 +睡到 .* s .*sleep_in_a_function.*，在 .*target.cpp:", "parked +等待 +在等 a full basket",
         "^  info sets +每个调度器的就绪队列", "^  就绪：1", r"^\[从 1 号帧起显示 by asm", "^协程 [0-9]+ sleeper：睡眠，睡到 ",
         "的栈帧在它的镜像里", "没有协程 nobody", "任务：协程 [0-9]+ early，睡眠", LC_ALL="zh_CN.UTF-8")  # fmt: skip


def starters():
    """On programs with unwritten functions the commands work at every stop."""
    for starter in sorted(program.parent.glob("lab0?_starter")):
        test = output(starter, "--names").splitlines()[-1]
        commands = "break fiberscope::kit::not_implemented,run,info coroutines,info sets,coroutine all bt,print 6 * 7"
        ask(commands, ["--args", starter, "--one", test], "^Breakpoint 1, .*not_implemented", "= 42")


def core_dump():
    """The kernel's core dump, not gdb's, which omits whole stacks because it cannot read the guard pages."""
    resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
    with tempfile.TemporaryDirectory() as work:
        run(program, "abort", cwd=work, FIBERSCOPE_LIST_COROUTINES="1")
        core = next(Path(work).glob("core*"), None)
        if not core:
            print("skipped: the kernel wrote no core dump (kernel.core_pattern)")
            return
        commands = "info coroutines,coroutine by asm,frame function yield_from_a_function,info locals,coroutine all bt,"
        patterns = "local_of_function = 41", "a core dump cannot show them", "ready: 1"
        ask(commands + "info sets", [program, core], *STATES, *patterns)


def many():
    """Lists 10,000 coroutines within seconds, whatever the depth of their stacks."""
    with tempfile.TemporaryDirectory() as work:
        run(program, "many 10000", cwd=work, FIBERSCOPE_LIST_COROUTINES="1")
        for core in Path(work).glob("core*"):
            ask("info coroutines", [program, core], *STATES[:2], "coroutine 10000 .*yield_from_a_function", most=60)


def without_modules_from_the_environment():
    """PYTHONPATH has no effect, even if it contains a module with the name of a standard one."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "glob.py").write_text("raise SystemExit('a foreign module')")
        start = "root=.; . extras/gdb/verb.sh; start_gdb -batch -ex 'python import glob; print(glob.__file__)'"
        tells("PYTHONPATH", [["bash", "-c", start]], "^/usr/.*glob.py", never="foreign", cwd=ROOT, PYTHONPATH=folder)


if not shutil.which("gdb"):
    leave_out("gdb is not installed (Debian's package gdb)")
os.environ["LC_ALL"] = "C.UTF-8"  # independent of the user's settings
program = Path(sys.argv[1]).resolve()
commands_on_a_process()
in_chinese()
starters()
core_dump()
many()
without_modules_from_the_environment()
ask("info coroutines,coroutine 1,info sets", [program], "no program is running")
os.chdir(ROOT)
lab("debug 01", "^lab: missing TEST")
end("coroutines in gdb")
