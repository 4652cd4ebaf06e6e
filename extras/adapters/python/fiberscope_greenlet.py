"""Records greenlets, and so gevent's tasks, as a trace of fiberscope.

    import fiberscope_greenlet

    with fiberscope_greenlet.recording("mine.json"):
        ...                                     # code that switches between greenlets in this thread

An unmodified program is recorded by `python3 fiberscope_greenlet.py mine.json PROGRAM.py ARGUMENT…`.

`now`: a function that returns nanoseconds, for reproducible recordings; the default is the monotonic clock. While
gevent's hub polls, the machine is parked. The library is searched in FIBERSCOPE_RECORD, in the installation of this
file, and in the system's directories."""

import contextlib
import ctypes
import os
import runpy
import sys
import sysconfig
import weakref
from pathlib import Path

import greenlet

(THREAD, SCHEDULER, IDLE, TASK) = range(4)
(NEW, READY, RUNNING, NORMAL, SUSPENDED, SLEEPING, WAITING, DEAD) = range(8)
(START, RESUME, YIELD, EXIT, SWAP, JUMP) = range(6)
NONE = 0xFFFFFFFF
CLOCK = ctypes.CFUNCTYPE(ctypes.c_uint64)


class Options(ctypes.Structure):
    _fields_ = [("library", ctypes.c_char_p), ("program", ctypes.c_char_p), ("now", CLOCK)]


def path_of_library():
    """An installed FILE is PREFIX/share/fiberscope/fiberscope_greenlet.py."""
    prefix, name = Path(__file__).resolve().parents[2], "libfiberscope_record.so"
    folders = "lib", "lib64", f"lib/{sysconfig.get_config_var('MULTIARCH')}"
    installed = [str(prefix / folder / name) for folder in folders if (prefix / folder / name).exists()]
    return os.environ.get("FIBERSCOPE_RECORD") or (installed + [name])[0]


def load():
    library = ctypes.CDLL(path_of_library())
    library.fiberscope_spawn.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_uint32, ctypes.c_size_t]
    library.fiberscope_spawn.restype = ctypes.c_uint32
    library.fiberscope_thread.restype = ctypes.c_uint32
    library.fiberscope_switch.argtypes = [
        ctypes.c_uint32,
        ctypes.c_uint32,
        ctypes.c_int,
        ctypes.c_int,
        ctypes.c_char_p,
    ]
    library.fiberscope_note.argtypes = [ctypes.c_uint32, ctypes.c_char_p]
    library.fiberscope_name.argtypes = [ctypes.c_uint32, ctypes.c_char_p]
    library.fiberscope_park.argtypes = [ctypes.c_char_p]
    return library


class Recorder:
    """State of the greenlets of one thread. Greenlets are symmetric: none is the caller of another."""

    def __init__(self, library):
        self.library = library
        self.parked = None  # the reason; the recorder uses these bytes while the thread is parked
        self.watchers = []  # of gevent's loop
        self.numbers = weakref.WeakKeyDictionary()
        main = greenlet.getcurrent()
        while main.parent is not None:
            main = main.parent
        self.numbers[main] = library.fiberscope_thread(b"main")
        if greenlet.getcurrent() is not main:
            self.on_switch("switch", (main, greenlet.getcurrent()))

    def number_of(self, one, parent=NONE):
        if one not in self.numbers:
            kind = SCHEDULER if isinstance(one, hub_type()) else TASK
            self.numbers[one] = self.library.fiberscope_spawn(kind, name_of(one), parent, 0)
            if kind == SCHEDULER:
                self.watch(one.loop)
        return self.numbers[one]

    def on_switch(self, event, arguments):
        """Called by greenlet in the greenlet that has been switched to."""
        if event not in ("switch", "throw"):
            return
        self.unpark()
        origin, target = arguments
        left = self.number_of(origin)
        entered = self.number_of(target, left)
        if left == entered:
            return
        why, state = (JUMP, DEAD) if origin.dead else (SWAP, SUSPENDED)
        self.library.fiberscope_switch(left, entered, why, state, None)

    def watch(self, loop):
        """The loop calls the first watcher immediately before polling, after watchers with a higher priority (gevent's
        own, which runs the ready tasks), and the second one immediately after polling."""
        last, first = getattr(loop, "MINPRI", None), getattr(loop, "MAXPRI", None)
        self.watchers = [loop.prepare(ref=False, priority=last), loop.check(ref=False, priority=first)]
        self.watchers[0].start(self.park, "the event loop")
        self.watchers[1].start(self.unpark)

    def stop(self):
        for watcher in self.watchers:
            watcher.stop()
            watcher.close()
        self.unpark()

    def park(self, reason):
        """Records that this thread blocks, waiting for `reason`, until `unpark`."""
        if self.parked is None:
            self.parked = reason.encode()
            self.library.fiberscope_park(self.parked)

    def unpark(self):
        if self.parked is not None:
            self.library.fiberscope_unpark()
            self.parked = None

    def note(self, text):
        self.library.fiberscope_note(self.number_of(greenlet.getcurrent()), text.encode())

    def name(self, text, one=None):
        """Names a greenlet, by default the running one."""
        self.library.fiberscope_name(self.number_of(one or greenlet.getcurrent()), text.encode())


def name_of(one):
    """A greenlet's name, or that of its function; None if neither has one."""
    if hasattr(one, "fiberscope_name"):
        return one.fiberscope_name.encode()
    runs = getattr(one, "_run", None) or getattr(one, "run", None)  # gevent's, greenlet's
    runs = getattr(runs, "func", runs)  # of a functools.partial
    if hasattr(runs, "__name__") and not isinstance(one, hub_type()):
        return runs.__name__.encode()
    return type(one).__name__.encode()


def hub_type():
    """gevent's Hub, if gevent is in use."""
    return getattr(sys.modules.get("gevent.hub"), "Hub", ())


@contextlib.contextmanager
def recording(file, program=None, now=None, name="greenlet"):
    """Records this thread's greenlets into `file`; yields a Recorder. Raises OSError if it cannot be written.
    `name` and `program` describe the library and the program in the tools."""
    library = load()
    clock = CLOCK(now) if now is not None else ctypes.cast(None, CLOCK)
    options = Options(name.encode(), (program or "").encode(), clock)
    status = library.fiberscope_open(os.fsencode(file), ctypes.byref(options))
    if status != 0:
        raise OSError(status, os.strerror(status), file)
    recorder = Recorder(library)
    before = greenlet.settrace(recorder.on_switch)
    try:
        yield recorder
    finally:
        greenlet.settrace(before)
        recorder.stop()
        status = library.fiberscope_close()
        if status != 0:
            raise OSError(status, os.strerror(status), file)


def main():
    """Records the program of the command line, which runs as its own main module."""
    if len(sys.argv) < 3:
        sys.exit("usage: fiberscope_greenlet.py FILE.json PROGRAM.py ARGUMENT…")
    file, program = sys.argv[1:3]
    sys.argv[:] = sys.argv[2:]
    sys.path[0] = os.path.dirname(os.path.abspath(program))
    with recording(file, os.path.basename(program)):
        runpy.run_path(program, run_name="__main__")


if __name__ == "__main__":
    main()
