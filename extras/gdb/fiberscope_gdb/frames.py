"""The frames of a coroutine that is not running.

gdb finds a caller's frame by the caller's registers. While a coroutine is shown, an unwinder claims the innermost frame
of the selected thread and returns the coroutine's saved registers as those of its caller. So frame 0 is still the
thread's, and the coroutine's frames start at 1. The process is not modified, so this also works on a core dump."""

import contextlib
import os

import gdb
import gdb.unwinder

from .kit import DEAD, NEW, RUNNING, selected_frame
from .values import Refusal, address_of, address_of_owned, at, pointer_to, type_named
from .say import say

X86_64 = ["rsp", "rbp", "rip", "rbx", "r12", "r13", "r14", "r15"]
GREGS = {"r12": 4, "r13": 5, "r14": 6, "r15": 7, "rbp": 10, "rbx": 11, "rsp": 15, "rip": 16}  # glibc's order
AARCH64 = {"sp": "sp", "x29": "fp", "x30": "lr", "pc": "lr", **{"x%d" % n: "x%d" % n for n in range(19, 29)}}
SHARED = "fiberscope::lab03::SharedStackCoroutine"


def on_aarch64():
    frame = selected_frame()
    return frame is not None and "aarch64" in frame.architecture().name()


def stack_pointer():
    return "sp" if on_aarch64() else "rsp"


def of_context(context):
    """The registers of a lab01::Context, by gdb's names."""
    names = AARCH64 if on_aarch64() else {name: name for name in X86_64}
    return {gdb_name: int(context[ours]) for gdb_name, ours in names.items()}


def of_ucontext(context):
    """The same for a lab02::Context."""
    machine = context["context_"]["uc_mcontext"]
    if not on_aarch64():
        return {name: int(machine["gregs"][place]) for name, place in GREGS.items()}
    found = {"x%d" % n: int(machine["regs"][n]) for n in range(19, 31)}
    return {**found, "sp": int(machine["sp"]), "pc": int(machine["pc"]) or found["x30"]}


def owner_of(coroutine, context, read):
    """The registers, which directly follow a Core."""
    name = "fiberscope::kit::Owner<%s>" % context
    return read(at(coroutine.address, name)["registers"]) if type_named(name) is not None else None


def of_lab03(coroutine, context, read):
    if type_named(SHARED) is None:
        return None
    place = at(coroutine.address, SHARED)
    by_asm, wanted_by_asm = str(place["kind_"]).endswith("asm_"), context.startswith("fiberscope::lab01")
    if by_asm != wanted_by_asm:
        return None
    registers = place["registers_"]
    address = registers["small_"].address if by_asm else registers["large_"]
    return read(address.cast(pointer_to(context)).dereference())


LAYOUTS = [
    (owner_of, "fiberscope::lab01::Context", of_context),
    (owner_of, "fiberscope::lab02::Context", of_ucontext),
    (of_lab03, "fiberscope::lab01::Context", of_context),
    (of_lab03, "fiberscope::lab02::Context", of_ucontext),
]


def is_code(address):
    return not gdb.execute("info symbol %d" % address, to_string=True).startswith("No symbol")


def fits(coroutine, registers):
    """The registers of a coroutine. It does not record its backend: in the right one, the stack pointer is on the
    coroutine's own stack."""
    if coroutine.is_thread:
        return registers[stack_pointer()] != 0 and is_code(registers["pc" if on_aarch64() else "rip"])
    bottom, top = coroutine.stack()
    return bottom <= registers[stack_pointer()] <= top


def saved_registers(coroutine):
    """The registers saved when it yielded. Refuses a coroutine without frames."""
    if coroutine.state == NEW:
        raise Refusal(say("{0} has not started, so it has no frames", coroutine.name))
    if coroutine.state == DEAD:
        raise Refusal(say("{0} has ended, so it has no frames", coroutine.name))
    for find, context, read in LAYOUTS:
        with contextlib.suppress(gdb.error, gdb.MemoryError):
            registers = find(coroutine, context, read)
            if registers is not None and fits(coroutine, registers):
                return registers
    raise Refusal(say("the saved registers of {0} do not point to its stack: they are damaged", coroutine.name))


def in_image(coroutine):
    """Its place if it shares a stack that another coroutine occupies now, so that its frames are in its image; else
    None."""
    if type_named(SHARED) is None or not str(coroutine.core["backend_"]).endswith("shared"):
        return None
    place = at(coroutine.address, SHARED)
    return None if address_of(place["shared_"].dereference()["owner_"]) == coroutine.address else place


def require_bytes(coroutine):
    place = in_image(coroutine)
    if place is not None:
        raise Refusal(
            say(
                "the frames of {0} are in its image ({1} bytes), not on the stack: `coroutine N bt` shows them",
                coroutine.name,
                int(place["image"]["size_"]),
            )
        )


@contextlib.contextmanager
def bytes_in_place(coroutine):
    """Context manager: copies the image of a coroutine to its shared stack, and restores the stack at the end. The
    process remains stopped. Refuses in a core dump, whose memory cannot be changed."""
    place = in_image(coroutine)
    if place is None:
        yield
        return
    size, memory = int(place["image"]["size_"]), gdb.selected_inferior()
    image = memory.read_memory(address_of_owned(place["image"]["bytes_"]), size).tobytes()
    low = coroutine.stack()[1] - size
    before = memory.read_memory(low, size).tobytes()
    try:
        memory.write_memory(low, image)
    except gdb.MemoryError:
        raise Refusal(say("the frames of {0} are in its image: a core dump cannot show them", coroutine.name))
    try:
        yield
    finally:
        memory.write_memory(low, before)


class FrameId:
    def __init__(self, sp, pc):
        self.sp = gdb.Value(sp)
        self.pc = gdb.Value(pc)


class Shown(gdb.unwinder.Unwinder):
    """Shows a coroutine instead of the callers of the selected thread."""

    def __init__(self):
        super().__init__("fiberscope")
        self.registers = None
        self.innermost = None  # the thread's own stack pointer, which identifies its innermost frame
        self.stack_pointer = None  # stored here, because __call__ must not access frames

    def __call__(self, pending):
        if self.registers is None or int(pending.read_register(self.stack_pointer)) != self.innermost:
            return None
        # Placed below the coroutine's frames, like a frame called by them.
        info = pending.create_unwind_info(FrameId(self.registers[self.stack_pointer] - 256, self.innermost))
        for name, value in self.registers.items():
            info.add_saved_register(name, gdb.Value(value).cast(pending.read_register(name).type))
        return info

    def show(self, registers):
        self.hide()
        self.stack_pointer = stack_pointer()
        self.innermost = int(gdb.newest_frame().read_register(self.stack_pointer))
        self.registers = registers
        gdb.invalidate_cached_frames()

    def hide(self):
        if self.registers is not None:
            self.registers = None
            gdb.invalidate_cached_frames()


SHOWN = Shown()


@contextlib.contextmanager
def shown(coroutine, borrow=False):
    """Context manager: frames from number 1 on are the coroutine's; with `borrow`, also those in an image."""
    if not borrow:
        require_bytes(coroutine)
    registers, before, frame = saved_registers(coroutine), SHOWN.registers, selected_frame()
    level = frame.level() if frame is not None else 0
    with bytes_in_place(coroutine):
        SHOWN.show(registers)
        try:
            yield
        finally:
            SHOWN.hide()
    if before is not None:
        SHOWN.show(before)
    with contextlib.suppress(gdb.error):
        gdb.execute("frame %d" % level, to_string=True)


def all_of():
    """Yields the frames of the selected coroutine lazily, innermost first, at most 1,000."""
    frame = gdb.newest_frame().older()
    for _ in range(1000):
        if frame is None:
            return
        yield frame
        frame = frame.older()


SWITCHES = ("_switch", "_switch_float", "swapcontext", "context_start")


def depth_of(frame):
    """0: the user's own code; 1: a lab's; 2: the kit's and the library's, which is of no interest."""
    name = frame.name() or ""
    if name in SWITCHES or name.startswith(("fiberscope::kit::", "std::", "_start", "__libc")) or not name:
        return 2
    return 1 if name.startswith("fiberscope::") else 0


def place_of(frame):
    sal = frame.find_sal()
    name = (frame.name() or hex(frame.pc())).replace("(anonymous namespace)::", "")
    if sal is None or sal.symtab is None:
        return name
    file = os.path.relpath(sal.symtab.fullname())
    return say("{0} at {1}:{2}", name, sal.symtab.filename if file.startswith("..") else file, sal.line)


def innermost_of_interest():
    """Returns the selected coroutine's first frame in the user's own code, else its first in a lab, else None. Stops at
    the user's own, because gdb takes long to unwind a frame."""
    of_a_lab = None
    for frame in all_of():
        depth = depth_of(frame)
        if depth == 0:
            return frame
        if depth == 1 and of_a_lab is None:
            of_a_lab = frame
    return of_a_lab


def where(coroutine, census):
    """Describes the innermost frame of the user's own code, or else of a lab; empty if there is none."""
    try:
        if coroutine.state in (NEW, DEAD, RUNNING) or census.leaves(coroutine) is not None:
            return ""
        with shown(coroutine, borrow=True):
            frame = innermost_of_interest()
            return "" if frame is None else place_of(frame)
    except Refusal as refusal:
        return say("({0})", refusal)
    except gdb.error as error:
        return say("({0})", error)
