"""Servers that are asked by sockets from outside (grading/served.py): one that answers all passes, and one that
answers one client at a time, answers wrongly, or ends early does not."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from grading import judge, sandbox, served
from support import WALLED, without_walls

SERVER = """
#include <cstdlib>
#include <thread>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
int main(int, char** argv) {
    const bool one = argv[1][6] == 'o', wrong = argv[1][6] == 'w';  // serve_one, serve_wrong
    if (argv[1][6] == 'e') return 0;                                // serve_early
    pollfd all[64] = {{atoi(getenv("FIBERSCOPE_LISTENER")), POLLIN, 0}, {atoi(getenv("FIBERSCOPE_UNTIL")), POLLIN, 0}};
    static char data[1 << 16];
    for (int count = 2; ::poll(all, count, -1) > 0;) {
        if (all[1].revents != 0) return 0;
        if (all[0].revents != 0 && count < 64) all[count++] = {::accept(all[0].fd, nullptr, nullptr), POLLIN, 0};
        all[0].fd = one && count > 2 ? -1 : all[0].fd;
        for (int i = 2; i < count; ++i) {
            if (all[i].fd < 0 || all[i].revents == 0) continue;
            if (argv[1][6] == 't') {  // serve_threads
                std::thread([fd = all[i].fd] {
                    char mine[1 << 13];
                    for (long n; (n = ::read(fd, mine, sizeof mine)) > 0;)
                        if (::write(fd, mine, n) != n) std::abort();
                    ::close(fd);
                }).detach();
                all[i].fd = -1;
                continue;
            }
            const long n = ::read(all[i].fd, data, sizeof data);
            if (n > 0 && wrong) data[0] ^= 1;
            if (n > 0) { if (::write(all[i].fd, data, n) != n) return 1; continue; }
            ::close(all[i].fd);
            all[i].fd = -1;
        }
    }
}
"""

PLACE = sandbox.claim_place()


def tearDownModule():
    sandbox.release_place(PLACE)


class TheirServers(unittest.TestCase):
    walled = WALLED

    def why(self, kind, threads=1):
        place = Path(tempfile.mkdtemp(prefix="fiberscope_served_")) / "program"
        self.addCleanup(shutil.rmtree, place.parent, ignore_errors=True)
        place.mkdir()
        for folder in (place.parent, place):
            folder.chmod(0o755)
        compiler = ["c++", "-w", "-pthread", "-x", "c++", "-o", place / "server", "-"]
        subprocess.run(compiler, input=SERVER, text=True, check=True)
        box = sandbox.Sandbox(PLACE, self.walled)
        with mock.patch.object(served, "PATIENCE", 3):
            return judge.served_all({kind: threads}, place / "server", box)

    def test_one_that_answers_all(self):
        self.assertEqual(self.why("serve_all"), (True, ""))

    def test_one_client_at_a_time(self):
        passed, why = self.why("serve_one")
        self.assertFalse(passed)
        self.assertIn("a client's connection failed", why)

    def test_wrong_bytes(self):
        passed, why = self.why("serve_wrong")
        self.assertFalse(passed)
        self.assertIn("is not what it sent", why)

    def test_a_thread_for_each_client(self):
        self.assertEqual(self.why("serve_threads", served.CLIENTS + 1), (True, ""))
        self.assertIn("it has 7 threads and not 3", self.why("serve_threads", 3)[1])

    def test_one_that_ends(self):
        self.assertFalse(self.why("serve_early")[0])


if WALLED:
    ServersWithoutWalls = without_walls(TheirServers)
