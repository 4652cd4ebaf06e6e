#!/usr/bin/env python3
"""Converts an execution trace of Go (runtime/trace, `go test -trace`) to a trace of fiberscope.

    fiberscope_go.py TRACE OUT.json [--program NAME]

Each P of Go is a machine, each goroutine a task, and runnable goroutines are in the set "ready".
The events are sorted by `go tool trace -d` of the installed Go, as for Go's own viewer. Go 1.23 and newer read
traces of Go 1.11 and newer; Go 1.11 to 1.21 read those of each other. TRACE may also be the output of
`go tool trace -d=parsed FILE`."""

import argparse
import json
import os
import platform
import re
import subprocess
import sys

LARGEST_P = 65535  # larger numbers are not real Ps: the netpoller, timers
LINE = re.compile(r"^(\d+) (\w+) p=(\d+) g=(\d+) off=\d+(.*)$")
TEXT_LINE = re.compile(r"^M=-?\d+ P=(-?\d+) G=(-?\d+) (\w+) Time=(\d+)(.*)$")
TRANSITION = re.compile(r' Resource=(Goroutine|Proc)\((\d+)\) Reason="((?:[^"\\]|\\.)*)".* (\w+)->(\w+)$')
RANGE = re.compile(r'Range(Begin|End) Name="(stop-the-world|GC concurrent mark)')
RANGES, ENDS = {"stop-the-world": "STW", "GC concurrent mark": "GC"}, {"Begin": "Start", "End": "Done"}
FRAME = re.compile(r"^\t(\S.*) @ 0x")
OLDEST, OLD_FORMAT, FIRST_PARSED = 11, 21, 23  # Go 1.11; the last with the first format; the first with -d=parsed
REASONS = {  # of Go 1.22 and newer; others are used unchanged
    "": "blocked", "forever": "it stopped for good", "sleep": "time.Sleep", "chan send": "sends to a channel",
    "chan receive": "receives from a channel", "network": "the network",
}  # fmt: skip
BLOCKS = {
    "GoStop": "it stopped for good", "GoSleep": "time.Sleep", "GoBlock": "blocked",
    "GoBlockSend": "sends to a channel", "GoBlockRecv": "receives from a channel", "GoBlockSelect": "select",
    "GoBlockSync": "sync", "GoBlockCond": "sync.Cond", "GoBlockNet": "the network",
    "GoBlockGC": "the garbage collector", "GoSysBlock": "a system call",
}  # fmt: skip
NOTES = {
    "GCStart": "garbage collection begins", "GCDone": "garbage collection ends",
    "STWStart": "the world stops", "STWDone": "the world goes on",
}  # fmt: skip
EV_STACK, EV_STRING, EV_USER_LOG, EV_LAST = 3, 37, 48, 49


class Unreadable(Exception):
    """An error of a file, as one sentence."""


class Names:
    """The functions at the top of the stacks of a trace file."""

    def __init__(self, content, file):
        self.content, self.at, self.strange = content, 16, None
        self.strings, self.tops = {}, {}
        try:
            self.scan()
        except IndexError:
            raise Unreadable(f"{file} was cut short: stop the trace (trace.Stop) before the program ends") from None
        if self.strange is not None:
            raise Unreadable(f"{file} is damaged: invalid event at byte {self.strange}")

    def number(self):
        value, shift = 0, 0
        while True:
            byte = self.content[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def text(self):
        length = self.number()
        start, self.at = self.at, self.at + length
        return self.content[start : self.at].decode(errors="replace")

    def scan(self):
        while self.at < len(self.content):
            kind, arguments = self.content[self.at] & 0x3F, (self.content[self.at] >> 6) + 1
            if not 0 < kind <= EV_LAST:
                self.strange = self.at
                return
            self.at += 1
            if kind == EV_STRING:
                name = self.number()
                self.strings[name] = self.text()
            elif arguments < 4:
                for _ in range(arguments):
                    self.number()
            else:
                length = self.number()
                end = self.at + length
                if kind == EV_STACK:
                    stack, frames = self.number(), self.number()
                    if frames > 0:
                        self.number()  # the program counter
                        self.tops[stack] = self.number()
                self.at = end
                if kind == EV_USER_LOG:
                    self.text()  # the message follows the event, outside its length

    def function(self, stack):
        return self.strings.get(self.tops.get(stack))


class Goroutine:
    def __init__(self, number, co):
        self.number, self.co = number, co
        self.state, self.started, self.ready = "new", False, False


class Import:
    """Writes the events of fiberscope, with strictly increasing times, so that all machines agree on the order."""

    def __init__(self, names):
        self.names, self.lines = names, []
        self.time, self.next = -1, 0
        self.threads, self.running, self.parked = {}, {}, {}
        self.goroutines = {}

    def event(self, machine, event, **fields):
        line = {"t": self.time, "m": machine, "ev": event}
        line.update({key.rstrip("_"): value for key, value in fields.items() if value is not None})
        self.lines.append(json.dumps(line, ensure_ascii=False, separators=(",", ":")))
        self.time += 1

    def spawn(self, machine, kind, name, parent=None):
        co, self.next = self.next, self.next + 1
        self.event(machine, "spawn", co=co, parent=parent, kind=kind, name=name)
        return co

    def machine(self, p):
        """The machine of a P, created when the P is first seen."""
        machine = p if p <= LARGEST_P else min(self.threads, default=0)
        if machine not in self.threads:
            self.threads[machine] = self.spawn(machine, "thread", f"P{machine}")
            self.running[machine] = None
            if len(self.threads) == 1:
                self.event(machine, "set", set="ready", role="ready", structure="queue")
            self.event(machine, "machine", op="start")
        return machine

    def goroutine(self, machine, number, stack=None):
        if number not in self.goroutines:
            name = (stack and self.names.function(stack)) or f"goroutine {number}"
            maker = self.running[machine]
            parent = maker.co if maker else self.threads[machine]
            self.goroutines[number] = Goroutine(number, self.spawn(machine, "task", name, parent))
        return self.goroutines[number]

    def make_ready(self, machine, one, cause):
        if one.state == "running" or one.ready:
            return
        if one.state != "ready":
            self.event(machine, "state", co=one.co, from_=one.state, to="ready", cause=cause)
        self.event(machine, "insert", set="ready", co=one.co)
        one.state, one.ready = "ready", True

    def start(self, machine, one):
        if self.running[machine] is not None:
            self.leave(machine, "ready")
        if one.ready:
            self.event(machine, "remove", set="ready", co=one.co)
        why = "resume" if one.started else "start"
        self.event(machine, "switch", from_=self.threads[machine], to=one.co, why=why, left="normal")
        one.state, one.started, one.ready = "running", True, False
        self.running[machine] = one

    def leave(self, machine, left, reason=None):
        one, self.running[machine] = self.running[machine], None
        if one is None:
            return
        why = "exit" if left == "dead" else "yield"
        self.event(machine, "switch", from_=one.co, to=self.threads[machine], why=why, left=left, reason=reason)
        one.state = left
        if left == "ready":
            self.make_ready(machine, one, None)

    def take(self, time, name, p, g, values):
        self.time = max(self.time, time)
        machine = self.machine(p)
        if name == "GoCreate":
            one = self.goroutine(machine, values["g"], values.get("stack"))
            # A goroutine may already be waiting when the trace starts; then the next line says so.
            if g != 0:
                self.make_ready(machine, one, "spawned")
        elif name in ("GoStart", "GoStartLabel"):
            self.start(machine, self.goroutine(machine, values["g"]))
        elif name == "GoEnd":
            self.leave(machine, "dead")
        elif name in ("GoSched", "GoPreempt"):
            self.leave(machine, "ready")
        elif name in BLOCKS:
            self.leave(machine, "waiting", BLOCKS[name])
        elif name in ("GoUnblock", "GoSysExit"):
            number = values["g"]
            self.make_ready(machine, self.goroutine(machine, number), "event")
        elif name == "ProcStart" and self.parked.pop(machine, False):
            self.event(machine, "machine", op="unpark")
        elif name == "ProcStop" and not self.parked.get(machine):
            self.parked[machine] = True
            self.event(machine, "machine", op="park")
        elif name in NOTES:
            self.event(machine, "note", text=NOTES[name])

    def note(self, p, text):
        machine = self.machine(p)
        one = self.running[machine]
        self.event(machine, "note", co=one.co if one else None, text=text)


class ImportText(Import):
    """The same from the output of `go tool trace -d=parsed`, which contains the names of the functions."""

    def __init__(self, lines):
        super().__init__(self)
        self.functions = {}
        self.events = self.parse(lines)

    def parse(self, lines):
        """[(time, p, name, the rest)]; also the start function of each goroutine, if a stack contains it."""
        events, outermost, created, section = [], {}, {}, ""
        for line in lines:
            if found := TEXT_LINE.match(line):
                p, goroutine, name, time, rest = found.groups()
                events.append((int(time), int(p), name, rest))
                made = TRANSITION.match(rest)
                subject = made[2] if made and made[4] == "NotExist" else None
            elif line in ("Stack=", "TransitionStack="):
                section = line
            elif frame := FRAME.match(line):
                if section == "TransitionStack=" and subject is not None:
                    created[int(subject)] = frame[1]
                elif section == "Stack=":
                    outermost[int(goroutine)] = frame[1]
        self.functions = outermost | created
        return events

    def convert(self):
        for time, p, name, rest in self.events:
            self.time = max(self.time, time - self.events[0][0])
            if name == "StateTransition":
                self.transition(p, rest)
            elif name == "Log" and (message := re.search(r' Message="((?:[^"\\]|\\.)*)"$', rest)):
                self.note(p, unquoted(message[1]))
            elif found := RANGE.match(name + rest):
                self.event(self.machine(p), "note", text=NOTES[RANGES[found[2]] + ENDS[found[1]]])
        return self.lines

    def machine(self, p):
        return super().machine(p if p >= 0 else LARGEST_P + 1)

    def goroutine(self, machine, number, stack=None):
        return super().goroutine(machine, number, number)

    def function(self, number):
        return self.functions.get(number)

    def transition(self, p, rest):
        found = TRANSITION.match(rest)
        if found is None:
            return
        kind, number, reason, before, after = found[1], int(found[2]), unquoted(found[3]), found[4], found[5]
        if kind == "Proc":
            self.processor(self.machine(number), after)
        else:
            self.step(self.machine(p), number, reason, before, after)

    def processor(self, machine, after):
        if after == "Running" and self.parked.pop(machine, False):
            self.event(machine, "machine", op="unpark")
        elif after == "Idle" and not self.parked.get(machine):
            self.leave(machine, "waiting", BLOCKS["GoSysBlock"])  # a system call whose P is taken by another thread
            self.parked[machine] = True
            self.event(machine, "machine", op="park")

    def step(self, machine, number, reason, before, after):
        one = self.goroutine(machine, number)
        where = next((m for m, running in self.running.items() if running is one), None)
        if after == "Running" and where is None:
            self.start(machine, one)
        elif after == "Syscall" or (before == "Undetermined" and after == "Waiting"):
            return  # it keeps its P, or has waited since before the trace
        elif where is not None and before == "Syscall" and after == "Runnable":
            self.leave(where, "waiting", BLOCKS["GoSysBlock"])
            self.make_ready(machine, one, "event")
        elif where is not None and after != "Running":
            self.leave(where, {"Runnable": "ready", "NotExist": "dead"}.get(after, "waiting"),
                       REASONS.get(reason, reason) if after == "Waiting" else None)  # fmt: skip
        elif after == "Runnable":
            self.make_ready(machine, one, "spawned" if before == "NotExist" else "event")


def unquoted(text):
    """Reverses Go's %q."""
    try:
        return json.loads(f'"{text}"')
    except ValueError:
        return text


def run_go(*words):
    try:
        return subprocess.run(["go", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", check=False)  # fmt: skip
    except FileNotFoundError:
        raise Unreadable("'go' is not installed, which is needed to sort the events: install golang-go") from None


def version_of_tool():
    """The minor version of the installed Go, such as 24; for a development version newer than all releases."""
    found = re.search(r" go1\.(\d+)", run_go("version").stdout)
    return int(found[1]) if found else sys.maxsize


def output_of_tool(file, option):
    tool = run_go("tool", "trace", option, file)
    if tool.returncode != 0:
        said = re.sub(r"^[\d/]+ [\d:]+ ", "", (tool.stderr.strip().splitlines() or ["nothing"])[-1])
        raise Unreadable(f"'go tool trace {option}' fails for {file}: {said}")
    return tool.stdout.splitlines()


def events_of(file):
    """The events as sorted by Go: (time, name, p, g, the rest)."""
    for line in output_of_tool(file, "-d"):
        found = LINE.match(line)
        if found:
            yield int(found[1]), found[2], int(found[3]), int(found[4]), found[5]


def convert(file):
    """The lines of the events."""
    try:
        with open(file, "rb") as opened:
            content = opened.read()
    except OSError as error:
        raise Unreadable(f"{file}: {error.strerror}") from None
    if TEXT_LINE.match(content.split(b"\n", 1)[0].decode(errors="replace")):
        return ImportText(content.decode(errors="replace").splitlines()).convert()
    version = re.match(rb"go 1\.(\d+) trace", content)
    if version is None:
        raise Unreadable(f"{file} is not an execution trace of Go: make one with runtime/trace or 'go test -trace'")
    trace, tool = int(version[1]), version_of_tool()
    if trace < OLDEST:
        raise Unreadable(f"{file} is of Go 1.{trace}: only traces of Go 1.{OLDEST} and newer can be read")
    if tool >= FIRST_PARSED:
        return with_events(ImportText(output_of_tool(file, "-d=parsed")).convert(), file)
    if max(trace, tool) > OLD_FORMAT:
        raise Unreadable(
            f"{file} is of Go 1.{trace}, but Go 1.{tool} is installed: install Go 1.{FIRST_PARSED} or newer, or give "
            f"the output of its 'go tool trace -d=parsed {file}'"
        )
    result = Import(Names(content, file))
    for time, name, p, g, rest in events_of(file):
        values = {key: int(value) for key, value in re.findall(r" (\w+)=(\d+)(?= |$)", rest)}
        result.take(time, name, p, g, values)
        log = re.search(r" message=(.*)$", rest)
        if name == "UserLog" and log:
            result.note(p, log[1])
    return with_events(result.lines, file)


def with_events(lines, file):
    if not lines:
        raise Unreadable(f"{file} has no event that 'go tool trace -d' of this Go prints")
    return lines


def write(lines, program, out):
    meta = {"lab": "Go", "program": program, "clock": "monotonic", "arch": platform.machine()}
    text = '{"fiberscope":2,\n"meta":' + json.dumps(meta, separators=(",", ":")) + ',\n"events":[\n'
    text += ",\n".join(lines) + f'\n],\n"end":{{"events":{len(lines)},"dropped":0}}}}\n'
    out = os.path.realpath(out)
    if os.path.exists(out) and not os.path.isfile(out):
        raise Unreadable(f"{out} is not a regular file and cannot be replaced")
    with open(out + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(out + ".new", out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trace", help="the execution trace of Go")
    parser.add_argument("out", help="the file to write")
    parser.add_argument("--program", help="the name of the program (default: the name of the file)")
    given = parser.parse_args()
    try:
        lines = convert(given.trace)
        write(lines, given.program or os.path.basename(given.trace).split(".")[0], given.out)
    except Unreadable as error:
        sys.exit(f"error: {error}")
    except OSError as error:
        sys.exit(f"error: {given.out}: {error.strerror}")


if __name__ == "__main__":
    main()
