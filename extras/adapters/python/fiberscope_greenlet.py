"""Records greenlets, and so gevent's tasks, as a trace of fiberscope.

    import fiberscope_greenlet

    with fiberscope_greenlet.recording("mine.json"):
        ...                                     # whatever switches between greenlets in this thread

`now`: a function that returns nanoseconds, for recordings that repeat; else the monotonic clock. The library is found
as libfiberscope_record.so, or where FIBERSCOPE_RECORD names it."""

import contextlib
import ctypes
import os
import sys
import weakref

import greenlet

(THREAD, SCHEDULER, IDLE, TASK) = range(4)
(NEW, READY, RUNNING, NORMAL, SUSPENDED, SLEEPING, WAITING, DEAD) = range(8)
(START, RESUME, YIELD, EXIT, SWAP, JUMP) = range(6)
NONE = 0xFFFFFFFF
CLOCK = ctypes.CFUNCTYPE(ctypes.c_uint64)


class Options(ctypes.Structure):
    _fields_ = [("library", ctypes.c_char_p), ("program", ctypes.c_char_p), ("now", CLOCK)]


def load():
    library = ctypes.CDLL(os.environ.get("FIBERSCOPE_RECORD", "libfiberscope_record.so"))
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
    return library


class Recorder:
    """What is known of the greenlets of one thread. Greenlets swap: none is the caller of another."""

    def __init__(self, library):
        self.library = library
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
        return self.numbers[one]

    def on_switch(self, event, arguments):
        """greenlet calls it in the greenlet that runs from now on."""
        if event not in ("switch", "throw"):
            return
        origin, target = arguments
        left = self.number_of(origin)
        entered = self.number_of(target, left)
        if left == entered:
            return
        why, state = (JUMP, DEAD) if origin.dead else (SWAP, SUSPENDED)
        self.library.fiberscope_switch(left, entered, why, state, None)

    def note(self, text):
        self.library.fiberscope_note(self.number_of(greenlet.getcurrent()), text.encode())


def name_of(one):
    """A greenlet's own name, or that of what it runs; None for no name."""
    if hasattr(one, "fiberscope_name"):
        return one.fiberscope_name.encode()
    for owner in (getattr(one, "_run", None), getattr(one, "run", None)):  # gevent's, greenlet's
        if hasattr(owner, "__name__") and not isinstance(one, hub_type()):
            return owner.__name__.encode()
    return type(one).__name__.encode()


def hub_type():
    """gevent's Hub, if gevent is in use."""
    return getattr(sys.modules.get("gevent.hub"), "Hub", ())


@contextlib.contextmanager
def recording(file, program=None, now=None, name="greenlet"):
    """Records this thread's greenlets into `file`; the value is a Recorder. Raises OSError if it cannot be written.
    `name` and `program` are told by the tools: whose greenlets they are, and what they do."""
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
        status = library.fiberscope_close()
        if status != 0:
            raise OSError(status, os.strerror(status), file)
