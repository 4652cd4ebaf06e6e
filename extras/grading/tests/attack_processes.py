"""Resource attacks by programs in the sandbox. One program contains all of them; its argument selects one."""

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable
from unittest import mock

from grading import sandbox
from support import ROOT, Attack

HEADERS = """cerrno cstdio cstdlib csignal cstring thread fcntl.h netinet/in.h sys/ioctl.h sys/ipc.h sys/mman.h
    sys/prctl.h sys/ptrace.h sys/resource.h sys/shm.h sys/socket.h sys/stat.h sys/syscall.h sys/uio.h
    sys/wait.h unistd.h"""
PLACE = 500  # of no other test: of a separate user
SECRET = "a_secret_of_the_instructor"

# Unneeded system calls, which must be refused.
REFUSED_CALLS = """ptrace process_vm_readv process_vm_writev unshare setns mount umount2
    pivot_root chroot keyctl add_key
    request_key bpf perf_event_open userfaultfd io_uring_setup init_module delete_module reboot swapon syslog acct
    personality name_to_handle_at open_by_handle_at kexec_load fanotify_init fsopen move_mount open_tree pidfd_getfd
    pidfd_send_signal execveat seccomp landlock_create_ruleset sethostname settimeofday clone3""".split()
FAMILIES = {"AF_NETLINK": 16, "AF_PACKET": 17, "AF_ALG": 38, "AF_VSOCK": 40}


def calls_that_work():
    """Prints each available system call, which does not fail with ENOSYS."""
    lines = [
        'if (::syscall(SYS_%s, -1L, 0L, 0L, 0L, 0L) >= 0 || errno != ENOSYS) puts("%s");' % (name, name)
        for name in REFUSED_CALLS
    ]
    lines += [
        'if (::socket(%d, SOCK_RAW, 0) >= 0 || errno != ENOSYS) puts("%s");' % (number, name)
        for name, number in FAMILIES.items()
    ]
    lines.append('if (::syscall(SYS_clone, 0x10000000L | SIGCHLD, 0L, 0L, 0L, 0L) >= 0) puts("a user of its own");')
    lines.append("char c = 'x'; if (::ioctl(0, TIOCSTI, &c) >= 0 || errno != ENOSYS) puts(\"typed\");")
    return "errno = 0; " + "\n".join(lines)


def prints(wanted):
    return lambda outcome: outcome.output == wanted


def because(words):
    return lambda outcome: words in outcome.why


FILLS_FILE = "long n = 1; for (int k = 0; k < 32 && n > 0; ++k) { n = ::write(f, page, sizeof page); all += n; } "


def holds_little(code):
    """Repeatedly allocates and fills 32 MB until that fails."""
    text = (
        "static char page[1 << 20], name[99]; ::signal(SIGXFSZ, SIG_IGN); long all = 0;\n"
        'for (int i = 0; i < 40; ++i) { %s } (void)name; (void)page; printf("%%d", all <= 256 << 20);' % code
    )
    return Row(text, lambda o: o.output == "1" or "memory" in o.why, {"processor": 20})


@dataclass
class Row:
    code: str
    holds: Callable  # predicate on the outcome
    limits: dict = field(default_factory=dict)


ATTACKS = {
    # ---- time, memory, processes, output
    "endless_loop": Row(
        "for (volatile int i = 0;; ++i) {}", because("ran longer than 1 s; probably an endless loop"), {"processor": 1}
    ),
    "sleeper": Row("::sleep(100);", because("took more than"), {"wall": 0.5}),
    "spinning_processes": Row(
        'for (int i = 0; i < 6; ++i) ::fork(); for (;;) asm("");', because("ran longer"), {"processor": 1}
    ),
    "processes_that_do_not_count": Row(
        '::signal(SIGCHLD, SIG_IGN); for (;;) { if (::fork() == 0) { for (int i = 0; i < 200000000; ++i) asm(""); '
        "_exit(0); } ::usleep(20000); }",
        lambda o: "took more than" in o.why or "ran longer" in o.why,
        {"processor": 1, "wall": 20},
    ),
    "memory": Row(
        "for (;;) { char* p = (char*)malloc(1 << 20); memset(p, 1, 1 << 20); }",
        because("memory"),
        {"memory": 50 << 20},
    ),
    # Memory not mapped by any process: all kinds of files in memory. None exceeds the size of the tmpfs.
    "memory_in_files_without_names": holds_little(
        'int f = ::memfd_create("m", 0); if (f < 0) break; ' + FILLS_FILE + "if (n <= 0) break;"
    ),
    "memory_in_shared_segments": holds_little(
        "int s = ::shmget(IPC_PRIVATE, 32 << 20, 0600); if (s < 0) break; char* p = (char*)::shmat(s, nullptr, 0);\n"
        "memset(p, 1, 32 << 20); ::shmdt(p); all += 32 << 20;"
    ),
    **{
        "memory_in_" + re.sub(r"\W", "_", folder): holds_little(
            'sprintf(name, "%s/f%%d", i); int f = ::open(name, O_CREAT | O_WRONLY, 0600); if (f < 0) break; ' % folder
            + FILLS_FILE
            + "if (n <= 0) break;"
        )
        for folder in ("/dev/shm", "/dev", "/run", "/program", "/tmp")
    },
    "flood": Row('for (;;) puts("flood");', because("wrote more than 1 MB"), {"written": 1 << 20}),
    "fork_bomb_and_daemon": Row(
        "for (int i = 0; i < 10; ++i) ::fork(); ::setsid(); ::sleep(100);", lambda o: o.why != "", {"wall": 1.0}
    ),
    "pipe_that_is_held_open": Row(
        'if (::fork() == 0) { ::setsid(); ::signal(SIGHUP, SIG_IGN); ::sleep(100); } puts("x"); fflush(stdout);',
        prints("x\n"),
    ),
    "trace_without_end": Row(
        'int f = ::open("trace.json", O_CREAT | O_WRONLY, 0600); static char page[1 << 20];\n'
        "::signal(SIGXFSZ, SIG_IGN); long all = 0, n = 1;\n"
        'for (; n > 0; all += n) n = ::write(f, page, sizeof page);\nprintf("%d", all < (9 << 20) && f > 0);',
        prints("1"),
        {"file": 8 << 20},
    ),
    "limits_raised": Row(
        "rlimit most{RLIM_INFINITY, RLIM_INFINITY};\n"
        'printf("%d %d", ::setrlimit(RLIMIT_FSIZE, &most), ::setrlimit(RLIMIT_CPU, &most));',
        prints("-1 -1"),
    ),
    # ---- others
    "system_calls": Row(calls_that_work(), prints("")),
    "grader_killed": Row(
        'printf("%d", ::kill(::getppid(), SIGKILL)); for (int p = 2; p < 40000; ++p) ::kill(p, SIGKILL);',
        lambda o: o.why == "",
    ),
    "network": Row(
        "sockaddr_in a{}; a.sin_family = AF_INET; a.sin_port = htons(9); a.sin_addr.s_addr = htonl(0x08080808);\n"
        'printf("%d", ::connect(::socket(AF_INET, SOCK_STREAM, 0), (sockaddr*)&a, sizeof a));',
        prints("-1"),
    ),
    "files_outside": Row(
        'printf("%%d %%d %%d", ::open("/etc/passwd", O_RDONLY), ::open("%s", O_RDONLY),'
        ' ::open("/usr/written", O_CREAT | O_WRONLY));' % ROOT,
        prints("-1 -1 -1"),
    ),
    "environment_in_proc": Row(
        "::system(\"cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>&1 | tr '\\\\0' x | grep -c %s[r]\");"
        % SECRET[:-1],
        prints("0\n"),
    ),
    "number_of_the_test_on_a_command_line": Row(
        '::unsetenv("FIBERSCOPE_NONCE"); ::system("cat /proc/[0-9]*/cmdline | grep -c the_numbe[r]");',
        prints("0\n"),
    ),
    "program_replaced": Row('printf("%d", ::open("/proc/self/exe", O_WRONLY | O_TRUNC));', prints("-1")),
    "rights_again": Row(
        'printf("%d %d", ::setuid(0), (int)::syscall(SYS_setgid, 0));', lambda o: "0" not in o.output
    ),
    "folder_where_the_trace_should_be": Row('printf("%d", ::mkdir("trace.json", 0700));', prints("0")),
}


class TheirProcesses(Attack):
    needs_setup = False

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        os.environ[SECRET] = SECRET
        cls.place = Path(tempfile.mkdtemp(dir=cls.work))
        cls.place.chmod(0o755)
        text = "".join("#include <%s>\n" % name for name in HEADERS.split())
        text += "".join("void %s() {\n%s\n}\n" % (name, row.code) for name, row in ATTACKS.items())
        text += 'void left() { printf("%d", ::access("/tmp/trace.json", F_OK)); }\nint main(int, char** words) {\n'
        text += "".join('if (!strcmp(words[1], "%s")) %s();\n' % (name, name) for name in [*ATTACKS, "left"]) + "}\n"
        command = ["c++", "-w", "-pthread", "-x", "c++", "-", "-o", cls.place / "a"]
        subprocess.run(command, input=text, text=True, check=True)

    @classmethod
    def tearDownClass(cls):
        del os.environ[SECRET]
        super().tearDownClass()

    def outcome(self, name, **limits):
        self.box, limits = sandbox.Sandbox(PLACE), sandbox.Limits(**limits)
        view, environment = sandbox.View([(self.place, "/program")]), {"FIBERSCOPE_NONCE": "the_number"}
        return self.box.run(["/program/a", name], view, limits, environment, with_report=True)

    def test_attacks(self):
        for name, row in ATTACKS.items():
            with self.subTest(name):
                outcome = self.outcome(name, **row.limits)
                self.assertTrue(row.holds(outcome), outcome)
                left = subprocess.run(["pgrep", "-f", f"^/program/a {name}"], capture_output=True, text=True)
                self.assertEqual(left.stdout, "")
                self.assertLess(len(outcome.output) + len(outcome.report), 1 << 18)
                # At most its limit, plus a moment until it is detected.
                self.assertLess(self.box.budget.processor_used, 2 * row.limits.get("processor", 10) + 2)

    def test_a_file_for_later_tests(self):
        self.outcome("folder_where_the_trace_should_be")
        self.assertEqual(self.outcome("left").output, "-1")

    def test_a_tree_below_usr_is_hidden(self):
        headers = Path("/usr/include")  # instead of the tree
        self.assertTrue(list(headers.iterdir()))
        for tree, seen in ((sandbox.TREE, True), (headers, False)):
            with mock.patch.object(sandbox, "TREE", tree):
                box = sandbox.Sandbox(PLACE)
                listed = box.run(["ls", str(headers)], sandbox.View(), sandbox.Limits())
            self.assertEqual((listed.status, bool(listed.output)), (0, seen))

    def test_one_limit_for_all_that_a_submission_does(self):
        view = sandbox.View([(self.place, "/program")])
        for kind, wall, budget, why in (
            ("endless_loop", 60, sandbox.Budget(processor=2), "has used its 2 s of processor time"),
            ("sleeper", 1, sandbox.Budget(wall=1.5), "has used its 1.5 s"),
        ):
            box, limits = sandbox.Sandbox(PLACE, budget), sandbox.Limits(processor=1, wall=wall)
            whys = [box.run(["/program/a", kind], view, limits).why for _ in range(5)]
            self.assertIn(why, whys[-1])
            self.assertLess(budget.processor_used, 5)
