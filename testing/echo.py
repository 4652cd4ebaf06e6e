#!/usr/bin/env python3
"""Tests lab 05's servers as programs. Each is started, loaded from another process and stopped by a signal, and must
write a valid recording. Each serves 20,000 requests on 1,000 connections (with `long`: a million on 10,000) without
losing or mixing up data. The experiment of step 5.7 runs once, with its picture; foreign clients run under the hook if
redis-server is installed."""

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from expect import end, expect, run as run_words

BIN, OUT = Path("build/default/bin"), Path("build/echo")
LONG = bool(os.environ.get("long"))
LIMIT = 600 if LONG else 60  # s, of a server and of a load
SYSTEMS = ("ntyco", "libco", "sylar", "netco", "go")


def run(program, *options):
    """(status, output)"""
    return run_words(BIN / program, *options, limit=LIMIT)[:2]


class Server:
    """A running server: its port, and its output once it has exited. `kind` is a kind of server, or "as SYSTEM"."""

    def __init__(self, kind, options=""):
        self.log, self.port, self.said = OUT / f"{kind}.log", 0, ""
        which = "" if kind.startswith("as_") else f"--server {kind}"
        words = f"echo {which} --port 0 --out {OUT}/{kind}.json {options}".split()
        with open(self.log, "w") as log:
            self.process = subprocess.Popen([BIN / "lab05_demo", *words], stdout=log, stderr=log)
        for _ in range(100):
            found = re.search(r"^listening on .*:(\d+)$", self.log.read_text(), re.M)
            if found:
                self.port = int(found[1])
                break
            time.sleep(0.05)

    def end(self, by=signal.SIGINT):
        """Stops the server and returns its exit status."""
        self.process.send_signal(by)
        try:
            status = self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = 1
        self.said = self.log.read_text(errors="replace")
        return status


def loaded(kind, options, load, by=signal.SIGINT):
    """(whether all replies were right and the server exited with 0, output of both)"""
    server = Server(kind, options)
    status, said = run("lab05_tools", f"echo_load --port {server.port or 1}", load)
    return server.end(by) == 0 and status == 0, said + server.said


def expect_load(what, kind, options, load, by=signal.SIGINT, sound=True):
    right, said = loaded(kind, options, load, by)
    expect(right, what, said)
    if sound:
        expect_sound(kind)
    return said


def expect_sound(name):
    status, said = run("fiberscope-trace", "check", OUT / f"{name}.json")
    expect(status == 0, f"the recording {name} is correct", said)


def expect_refused(options, words):
    """The demo must print one line, exit with an error and leave an existing recording unchanged."""
    kept = OUT / "refused.json"
    kept.write_text("old")
    status, said = run("lab05_demo", "echo --out", kept, options)
    one_line = said.count("\n") == 1 and words in said
    expect(status != 0 and one_line and kept.read_text() == "old", f"refused: {options}", said)


REFUSED = {
    "--server none": "--server takes one of per_connection, pool, hooked, epoll, not 'none'",
    "--as none": "--as takes one of ntyco, libco, sylar, netco, go, not 'none'",
    "--as sylar --server pool": "--server pool needs one machine",
    "--backend none": "--backend takes one of asm, ucontext, shared, not 'none'",
    "--wait-by none": "--wait-by takes one of table, tree, not 'none'",
    "--record none": "--record takes one of whole, brief, no, not 'none'",
    "--server pool --workers none": "--workers takes a whole number from 1 to 100000, not 'none'",
    "--server pool --workers 100000000": "--workers takes a whole number from 1 to 100000, not '100000000'",
    "--workers 5": "--workers: only --server pool and --as libco have workers",
    "--server epoll --machines 2": "--machines: this server runs on one thread",
    "--server epoll --backend asm": "--backend: --server epoll is a bare loop",
    "--port 9123,9123": "--port names 9123 twice",
    "--ip localhost": "localhost",
    "--port 99999": "--port takes numbers up to 65535",
}


def each_server():
    for kind in ("per_connection", "pool", "hooked", "epoll"):
        by = signal.SIGINT if kind == "per_connection" else signal.SIGTERM
        load = "--connections 50 --requests 1000"
        expect_load(f"{kind}, ended by {by.name}", kind, "", load, by, kind != "epoll")
        said = loaded(kind, "--ip 127.0.0.2", "--ip 127.0.0.2 --connections 7 --requests 70 --size 100")[1]
        told = r"7 accepted, 7 closed, 0 refused, 0 times exhausted; .* messages, 7000 bytes"
        expect(re.search(told, said), f"the summary of {kind} at exit", said)
    whole = "--wait-by tree --record whole"
    expect_load("recorded whole, with the wait tree", "per_connection", whole, "--connections 50 --requests 200")
    for kind in ("per_connection", "pool", "hooked"):
        for backend in ("ucontext", "shared"):
            load = "--connections 50 --requests 1000"
            expect_load(f"{kind} on {backend}", kind, f"--backend {backend}", load)
        connections, requests = (10000, 1000000) if LONG else (1000, 20000)
        workers = f"--workers {connections}" if kind == "pool" else ""
        load = f"--connections {connections} --requests {requests}"
        expect_load(f"{kind}: {load}", kind, f"--record no {workers}", load, sound=False)


def each_system():
    for system in SYSTEMS:
        for connections in (100, 1000):
            options = f"--as {system} --machines 2" + (f" --workers {connections}" if system == "libco" else "")
            load = f"--connections {connections} --requests 5000"
            said = expect_load(f"as in {system}, on two machines", f"as_{system}", options, load)
            expect(len(re.findall("^machine [01]: ", said, re.M)) == 2, "both machines print their counts", said)
        status, said = run("lab05_demo", "clients --clock monotonic --strategy", system, f"--out {OUT}/real.json")
        expect(status == 0, f"the clients of {system} in real time", said)
        expect_sound("real")
    said = run("lab05_demo", f"clients --strategy all --out {OUT}/five")[1]
    rows = [row for row in said.splitlines() if row[:1] == "|"]
    told = Path("docs/instructors.md").read_text().splitlines()
    expect(len(rows) == 7 and all(row in told for row in rows), "the table of docs/instructors.md", "\n".join(rows))


def what_cannot_be():
    for options, words in REFUSED.items():
        expect_refused(options, words)
    for options in "echo_load|echo_load --port 99999|echo_load --port 1 --no 2|experiment --cores 5000|".split("|"):
        status, said = run("lab05_tools", options)
        expect(status == 2 and said, f"invalid options are refused: {options}", said)
    server = Server("epoll")
    words = f"cannot listen on 127.0.0.1:{server.port}: another program has this port"
    expect_refused(f"--port {server.port}", words)
    expect(server.end() == 0, "the server that has the port is not affected")


def limits():
    server = Server("per_connection", "--idle-limit 1")
    with socket.create_connection(("127.0.0.1", server.port), 5) as idle:
        expect(idle.recv(1) == b"", "an idle connection is closed")
    expect(server.end() == 0, "and the server keeps running", server.said)
    load = "--connections 50 --requests 60000"
    said = expect_load("a recording that reaches its limit", "per_connection", "--record-limit 1", load)
    expect("the recording has reached its limit of 1 MB" in said, "the server reports the limit", said)


def programs():
    picture = OUT / "experiment.svg"
    options = "experiment --rounds 1 --cores 1 --work 0 --threads 3 --picture"
    status, said = run("lab05_tools", options, picture)
    expect(status == 0 and picture.read_text().count("<rect") == 4, "the experiment", said)
    status, said = run("lab05_tools", "completion --rounds 1 --requests 2000")
    print(said.strip()) if status == 77 else expect(status == 0 and "io_uring / epoll" in said, "completion", said)
    expect(run("lab05_limits", "no_such_demo")[0] == 1, "an unknown limit is refused")
    for program, needs in ("lab05_limits", "no hook"), ("lab05_redis", "no redis-server, or no hook"):
        status, said = run(program) if (BIN / program).exists() else (77, "")
        if status == 77:
            print(f"{program} is skipped: {needs}, or it is not built")
        else:
            expect(status == 0, program, said)


OUT.mkdir(parents=True, exist_ok=True)
each_server()
each_system()
what_cannot_be()
limits()
programs()
shutil.rmtree(OUT, ignore_errors=True)
end("echo servers")
