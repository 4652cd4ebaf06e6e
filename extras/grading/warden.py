"""warden.py COMMAND…: runs it, kills its remaining descendants, and exits with its status. Used without a PID
namespace: orphaned processes are reparented to this process, the subreaper, so that they cannot outlive the
submission."""

import ctypes
import os
import signal
import sys

PR_SET_CHILD_SUBREAPER = 36


def children():
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % name) as file:
                if int(file.read().rsplit(")", 1)[1].split()[1]) == os.getpid():
                    found.append(int(name))
        except OSError:
            pass  # it has ended
    return found


def end_the_rest():
    """Children of killed processes are reparented to this one in turn, until there are none."""
    left = children()
    while left:
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass  # of another user; the parent kills this one
        os.waitpid(-1, 0)
        left = children()


def main(command):
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    first = os.fork()
    if first == 0:
        os.execvp(command[0], command)
    pid = 0
    while pid != first:
        pid, status = os.wait()
    end_the_rest()
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        signal.signal(-code, signal.SIG_DFL) if -code not in (signal.SIGKILL, signal.SIGSTOP) else None
        os.kill(os.getpid(), -code)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
