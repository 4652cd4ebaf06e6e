"""A step that is proved by sockets: the student's server runs in the sandbox on a listener of ours, and we are its
clients. What it must answer is known here alone, and nothing that its process says is asked."""

import contextlib
import random
import secrets
import socket
from concurrent.futures import ThreadPoolExecutor

from .errors import printable

CLIENTS, PIECES, MOST = 6, 60, 5000
PATIENCE = 20  # s, for one answer


def ask(run, question, threads, wanted):
    """`run(arguments, environment, handed)` runs the proof in the sandbox, `handed` being descriptors for it. The value
    is why the server failed; empty if it served all clients, and `threads()` was `wanted` while they were connected."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setblocking(False)  # as accept in a task needs it
    ours, theirs = socket.socketpair()
    with listener, ours, theirs, ThreadPoolExecutor(1) as pool:
        address = listener.getsockname()
        asking = pool.submit(talk_and_end, address, ours, lambda: wrong_number(threads(), wanted))
        handed = {"FIBERSCOPE_LISTENER": listener.fileno(), "FIBERSCOPE_UNTIL": theirs.fileno()}
        outcome = run([question, "0"], {name: str(number) for name, number in handed.items()}, list(handed.values()))
        listener.close()  # what connects to a server that has ended must not wait
        theirs.close()
        why = asking.result()
    if why or outcome.why or outcome.status != 0:
        return "%s: %s" % (question, why or outcome.why or "it ended with status %d" % outcome.status)
    return ""


def talk_and_end(address, ours, look):
    try:
        return talk(address, look)
    except OSError as error:
        return "a client's connection failed: %s" % printable(str(error))
    finally:
        ours.close()  # the program's server stops


def wrong_number(threads, wanted):
    """A thread for each client, as the given server has it, is another server."""
    return "" if threads == wanted else "it has %d threads and not %d while it serves" % (threads, wanted)


def talk(address, look):
    """All clients stay connected, and each piece goes to one of them by chance: a server that waits for one of them
    answers no other."""
    with contextlib.ExitStack() as open_ones:
        clients = [
            open_ones.enter_context(socket.create_connection(address, timeout=PATIENCE)) for _ in range(CLIENTS)
        ]
        return talk_by_chance(clients, random.Random(secrets.randbits(64)), look)


def talk_by_chance(clients, chance, look):
    for piece in range(PIECES):
        client = chance.choice(clients)
        sent = secrets.token_bytes(chance.randint(1, MOST))
        cut = chance.randint(0, len(sent))
        client.sendall(sent[:cut])
        client.sendall(sent[cut:])
        if received(client, len(sent)) != sent:
            return "what came back to a client is not what it sent (piece %d)" % piece
    why = look()
    for client in clients if not why else []:
        client.shutdown(socket.SHUT_WR)
        if client.recv(1) != b"":
            return "a client that ended got more than it had sent"
    return why


def received(client, size):
    """So many bytes, or fewer at an end."""
    got = b""
    while len(got) < size:
        more = client.recv(size - len(got))
        if not more:
            break
        got += more
    return got
