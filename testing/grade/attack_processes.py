"""What a running program may not take: one program in the sandbox, not the grading of a lab."""

import os
import signal
import subprocess
import tempfile
from pathlib import Path

from grade import judge, sandbox
from support import ROOT, WALLED, Attack, needs_walls, without_walls

HEADERS = """cstdio cstdlib csignal cstring unistd.h fcntl.h sys/socket.h netinet/in.h sys/stat.h sys/uio.h
    sys/resource.h"""

PLACE = sandbox.claim_place()


def tearDownModule():
    sandbox.release_place(PLACE)


class TheirProcesses(Attack):
    """What a running program may not take. Not the grading of a whole lab: one program in the sandbox."""

    def run_code(self, code, **limits):
        place = Path(tempfile.mkdtemp(dir=self.work))
        place.chmod(0o755)
        (place / "a.cpp").write_text(
            "".join("#include <%s>\n" % name for name in HEADERS.split()) + "int main() {\n%s\n}\n" % code
        )
        self.assertEqual(os.system("c++ -w -o %s/a %s/a.cpp" % (place, place)), 0)
        box, limits = sandbox.Sandbox(PLACE, self.walled), sandbox.Limits(**limits)
        if self.walled:
            return box.run(["/program/a"], sandbox.View([(place, "/program")]), limits, {}, with_report=True)
        place.chmod(0o777)
        return box.run([str(place / "a")], sandbox.View(workdir=str(place)), limits, {}, with_report=True)

    def nothing_is_left(self):
        """As root each place has a user of its own, so that its processes are known."""
        self.assertEqual(sandbox.of_user(sandbox.user_of(PLACE)) if os.geteuid() == 0 else [], [])

    def test_an_endless_loop(self):
        self.assertNotEqual(self.run_code("for (volatile int i = 0;; ++i) {}", processor=1).status, 0)

    def test_a_sleeper(self):
        self.assertIn("took more than", self.run_code("::sleep(100);", wall=0.5).why)

    def test_memory(self):
        outcome = self.run_code(
            "for (;;) { char* p = (char*)malloc(1 << 20); memset(p, 1, 1 << 20); }", memory=100 << 20
        )
        self.assertIn("memory", outcome.why)

    def test_a_flood_of_output(self):
        outcome = self.run_code('for (;;) puts("flood");', processor=1)
        self.assertLessEqual(len(outcome.output), 1 << 16)

    def test_a_fork_bomb_and_a_daemon(self):
        outcome = self.run_code("for (int i = 0; i < 10; ++i) ::fork(); ::setsid(); ::sleep(100);", wall=1.0)
        self.assertNotEqual(outcome.why, "")
        self.nothing_is_left()

    def test_a_daemon_that_waits_for_its_parents_end(self):
        self.run_code("if (::fork() == 0) { ::setsid(); ::sleep(100); }")
        self.nothing_is_left()

    @needs_walls
    def test_the_grader_is_not_there(self):
        outcome = self.run_code(
            'printf("%d", ::kill(::getppid(), SIGKILL)); for (int p = 2; p < 40000; ++p) ::kill(p, SIGKILL);'
        )
        self.assertEqual(outcome.why, "")

    @needs_walls
    def test_no_network(self):
        outcome = self.run_code(
            "sockaddr_in a{}; a.sin_family = AF_INET; a.sin_port = htons(9); a.sin_addr.s_addr = htonl(0x08080808);\n"
            'printf("%d", ::connect(::socket(AF_INET, SOCK_STREAM, 0), (sockaddr*)&a, sizeof a));'
        )
        self.assertEqual(outcome.output, "-1")

    @needs_walls
    def test_no_file_outside(self):
        outcome = self.run_code(
            'printf("%%d %%d %%d", ::open("/etc/passwd", O_RDONLY), ::open("%s", O_RDONLY),'
            ' ::open("/usr/written", O_CREAT | O_WRONLY));' % ROOT
        )
        self.assertEqual(outcome.output, "-1 -1 -1")

    def test_the_environment_of_the_instructor(self):
        os.environ["SECRET_OF_THE_INSTRUCTOR"] = "1"
        self.assertEqual(self.run_code('printf("%d", getenv("SECRET_OF_THE_INSTRUCTOR") != nullptr);').output, "0")

    @needs_walls
    def test_a_file_for_later_tests(self):
        self.run_code('::close(::open("/tmp/left", O_CREAT | O_WRONLY, 0666));')
        self.assertEqual(self.run_code('printf("%d", ::access("/tmp/left", F_OK));').output, "-1")

    @needs_walls
    def test_the_grader_is_not_in_proc(self):
        outcome = self.run_code('puts(""); fflush(stdout); ::system("cat /proc/[0-9]*/cmdline");')
        self.assertNotIn("python", outcome.output)

    def test_the_memory_of_the_grader(self):
        outcome = self.run_code(
            "char word[8] = {}; iovec here{word, 8}, there{(void*)0x400000, 8};\n"
            'printf("%%d", (int)::process_vm_writev(%d, &here, 1, &there, 1, 0));' % os.getpid()
        )
        if self.walled or os.geteuid() == 0:
            self.assertEqual(outcome.output, "-1")

    def test_the_program_replaced(self):
        outcome = self.run_code('printf("%d", ::open("/proc/self/exe", O_WRONLY | O_TRUNC));')
        self.assertEqual(outcome.output, "-1")

    @needs_walls
    def test_the_grader_replaced(self):
        outcome = self.run_code('printf("%%d", ::open("%s", O_WRONLY | O_APPEND));' % judge.__file__)
        self.assertEqual(outcome.output, "-1")

    def test_the_parent_stopped(self):
        outcome = self.run_code("::kill(::getppid(), SIGSTOP); ::kill(::getppid(), SIGTSTP);", wall=20)
        self.assertEqual((outcome.status, outcome.why), (0, ""))

    def test_a_daemon_that_writes_the_report(self):
        report = (
            'if (::fork() == 0) { ::setsid(); ::usleep(300000); ::write(atoi(getenv("FIBERSCOPE_REPORT_FD")),'
            ' "done\\tx\\t1\\t0\\n", 11); }'
        )
        self.assertEqual(self.run_code(report).report, "")
        self.nothing_is_left()

    def test_a_trace_without_end(self):
        outcome = self.run_code(
            'int f = ::open("trace.json", O_CREAT | O_WRONLY, 0600); static char page[1 << 20];\n'
            "::signal(SIGXFSZ, SIG_IGN); long all = 0, n = 1;\n"
            'for (; n > 0; all += n) n = ::write(f, page, sizeof page);\nprintf("%d", all < (9 << 20) && f > 0);',
            file=8 << 20,
        )
        self.assertEqual(outcome.output, "1")

    def test_a_folder_where_the_trace_should_be(self):
        code = 'printf("%d", ::mkdir("trace.json", 0700));'
        self.assertEqual([self.run_code(code).output, self.run_code(code).output], ["0", "0"])

    def test_a_system_call_in_place_of_a_futex(self):
        work = Path(tempfile.mkdtemp(dir=self.work))
        (work / "a.c").write_text(
            "#include <sys/syscall.h>\n#include <stdio.h>\nlong fiberscope_futex(long, ...); int word = 1;\n"
            'int main() { printf("%ld ", fiberscope_futex(SYS_futex, &word, 0, 0, 0, 0, 0)); fflush(stdout);\n'
            "  fiberscope_futex(SYS_write, 1, \"x\", 1L, 0L, 0L, 0L); }"
        )
        subprocess.run(["cc", "-w", "-o", work / "a", work / "a.c", self.ground.futex], check=True)
        answer = subprocess.run([work / "a"], capture_output=True, text=True)
        self.assertEqual((answer.returncode, answer.stdout), (-signal.SIGABRT, "-1 "))

    def test_the_limits_cannot_be_raised(self):
        outcome = self.run_code(
            "rlimit most{RLIM_INFINITY, RLIM_INFINITY};\n"
            'printf("%d %d", ::setrlimit(RLIMIT_FSIZE, &most), ::setrlimit(RLIMIT_CPU, &most));'
        )
        self.assertEqual(outcome.output, "-1 -1")


if WALLED:
    ProcessesWithoutWalls = without_walls(TheirProcesses)
