#!/usr/bin/env python3
"""Reads an execution trace of Go (runtime/trace, `go test -trace`) and writes it as a trace of fiberscope.

    fiberscope_go.py TRACE OUT.json [--program NAME]

Each P of Go is a machine, each goroutine a task, what the scheduler of Go calls runnable stands in the set "ready".
`go tool trace -d` of the installed Go puts the events in order, as Go's own viewer sees them; the names of the
functions are read from the file. For the format of Go 1.11 to 1.21."""

import argparse
import json
import os
import platform
import re
import subprocess
import sys

LARGEST_P = 65535  # what Go calls P from a million on is no P: its netpoller, its timers
LINE = re.compile(r"^(\d+) (\w+) p=(\d+) g=(\d+) off=\d+(.*)$")
BLOCKS = {
    "GoStop": "it stopped for good",
    "GoSleep": "time.Sleep",
    "GoBlock": "blocked",
    "GoBlockSend": "sends to a channel",
    "GoBlockRecv": "receives from a channel",
    "GoBlockSelect": "select",
    "GoBlockSync": "sync",
    "GoBlockCond": "sync.Cond",
    "GoBlockNet": "the network",
    "GoBlockGC": "the garbage collector",
    "GoSysBlock": "a system call",
}
NOTES = {
    "GCStart": "garbage collection begins",
    "GCDone": "garbage collection ends",
    "STWStart": "the world stops",
    "STWDone": "the world goes on",
}
EV_STACK, EV_STRING, EV_USER_LOG, EV_LAST = 3, 37, 48, 49


class Unreadable(Exception):
    """One sentence about a file."""


class Names:
    """The functions at the top of the stacks of a trace file."""

    def __init__(self, content, file):
        self.content, self.at, self.strange = content, 16, None
        self.strings, self.tops = {}, {}
        version = re.match(rb"go 1\.(\d+) trace", content)
        if version is None:
            raise Unreadable(f"{file} is no execution trace of Go: make one with runtime/trace or 'go test -trace'")
        if not 11 <= int(version[1]) <= 21:
            raise Unreadable(f"{file} is of Go 1.{int(version[1])}: the formats of Go 1.11 to 1.21 can be read")
        try:
            self.scan()
        except IndexError:
            raise Unreadable(f"{file} was cut short: stop the trace (trace.Stop) before the program ends") from None
        if self.strange is not None:
            raise Unreadable(f"{file} is damaged: at byte {self.strange} stands no event of Go")

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
    """The events of fiberscope, one by one. Time goes on at each, so that no two machines disagree about an order."""

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
        """The machine of a P, begun when it is first seen."""
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
            # Those that the trace finds at its beginning may wait already: the next line says so.
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


def events_of(file):
    """Go's own reading of the file, in order: (time, name, p, g, the rest)."""
    try:
        tool = subprocess.run(
            ["go", "tool", "trace", "-d", file],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    except FileNotFoundError:
        raise Unreadable("there is no 'go' here, which puts the events in order: install golang-go") from None
    if tool.returncode != 0:
        said = re.sub(r"^[\d/]+ [\d:]+ ", "", (tool.stderr.strip().splitlines() or ["nothing"])[-1])
        raise Unreadable(f"'go tool trace -d' refuses {file}; it says: {said}")
    for line in tool.stdout.splitlines():
        found = LINE.match(line)
        if found:
            yield int(found[1]), found[2], int(found[3]), int(found[4]), found[5]


def convert(file):
    """The lines of the events."""
    try:
        with open(file, "rb") as opened:
            names = Names(opened.read(), file)
    except OSError as error:
        raise Unreadable(f"{file}: {error.strerror}") from None
    result = Import(names)
    for time, name, p, g, rest in events_of(file):
        values = {key: int(value) for key, value in re.findall(r" (\w+)=(\d+)(?= |$)", rest)}
        result.take(time, name, p, g, values)
        log = re.search(r" message=(.*)$", rest)
        if name == "UserLog" and log:
            result.note(p, log[1])
    if not result.lines:
        raise Unreadable(f"{file} has no event that 'go tool trace -d' of this Go prints: use Go 1.11 to 1.21")
    return result.lines


def write(lines, program, out):
    meta = {"lab": "Go", "program": program, "clock": "monotonic", "arch": platform.machine()}
    text = '{"fiberscope":1,\n"meta":' + json.dumps(meta, separators=(",", ":")) + ',\n"events":[\n'
    text += ",\n".join(lines) + f'\n],\n"end":{{"events":{len(lines)},"dropped":0}}}}\n'
    out = os.path.realpath(out)
    if os.path.exists(out) and not os.path.isfile(out):
        raise Unreadable(f"{out} is no file that may be replaced")
    with open(out + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(out + ".new", out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trace", help="what Go has written")
    parser.add_argument("out", help="the file to write")
    parser.add_argument("--program", help="the name of the program; without it, the name of the file")
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
