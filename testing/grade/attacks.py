"""Attacks on `./lab grade`, each a submission of lab 01 that tries to get credit or to do harm: no credit, no harm,
and the others' marks stay right. Run by testing/grade/check.sh."""

import contextlib
import io
import json
import os
import shutil
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "labs" / "grader"))

from grade import __main__ as program  # noqa: E402
from grade import course, formats, judge, objects, sandbox, submission  # noqa: E402
from grade.errors import Refused  # noqa: E402
from grade.ground import Ground  # noqa: E402

LAB = "01_switch_asm"
ARCH = os.uname().machine
FILES = ["context.cpp", "coroutine.cpp", "switch_%s.S" % ARCH, "switch_float_%s.S" % ARCH]
REPORT_DONE = (
    "#include <string_view>\nnamespace fiberscope::kit { "
    "void report_done(std::string_view, std::size_t, std::size_t) noexcept "
)


def function(expression):
    """A function of the lab that makes this call."""
    return "namespace fiberscope::lab01 { auto f() { return %s; } }" % expression


class Attack(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.mkdtemp(prefix="fiberscope_attacks_")
        os.chmod(cls.work, 0o755)
        cls.ground = Ground(ROOT, LAB, cls.work).prepare()
        cls.walled = sandbox.works()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.work, ignore_errors=True)

    def right(self, name="right"):
        """A right submission in a folder of its own."""
        folder = Path(tempfile.mkdtemp(dir=self.work)) / name
        folder.mkdir()
        for file in FILES:
            shutil.copy(ROOT / "labs" / LAB / "solution" / file, folder / file)
        return folder

    def with_text(self, text, file="context.cpp", name="attacker"):
        """A right submission, with this at the end of a file."""
        folder = self.right(name)
        with open(folder / file, "a") as out:
            out.write("\n" + text + "\n")
        return folder

    def mark(self, *folders, **settings):
        marks = course.Course(self.ground, self.walled, **settings).grade_all([str(one) for one in folders])
        return marks[0] if len(folders) == 1 else marks

    def refused(self, folder, pattern):
        mark = self.mark(folder)
        self.assertEqual(mark.points, 0)
        self.assertFalse(mark.graded)
        self.assertRegex(mark.refused, pattern)


class TheirObjects(Attack):
    """What an object may not contain."""

    def test_not_implemented_redefined(self):
        self.refused(
            self.with_text(
                "namespace fiberscope::kit { void not_implemented(const char*, const char*, const char*) noexcept {} }"
            ),
            "defines fiberscope::kit::not_implemented",
        )

    def test_the_report_redefined(self):
        text = REPORT_DONE + "{} }"
        self.refused(self.with_text(text), "defines fiberscope::kit::report_done")

    def test_the_report_called(self):
        text = (
            REPORT_DONE + "; }\n"
            'namespace fiberscope::lab01 { void f() { fiberscope::kit::report_done("x", 1, 0); } }'
        )
        self.refused(self.with_text(text), "calls fiberscope::kit::report_done")

    def test_a_constructor_that_answers_names(self):
        text = '#include <cstdio>\n__attribute__((constructor)) static void early() { puts("1.1 mine"); }'
        self.refused(self.with_text(text), "runs code before or after main")

    def test_the_environment_read(self):
        self.refused(
            self.with_text("#include <cstdlib>\n" + function('std::getenv("FIBERSCOPE_NONCE")')),
            "calls getenv",
        )

    def test_another_program_started(self):
        text = "#include <unistd.h>\n" + function('::execl("/bin/true", "true", nullptr)')
        self.refused(self.with_text(text), "calls execl")

    def test_a_fork(self):
        self.refused(
            self.with_text("#include <unistd.h>\nnamespace fiberscope::lab01 { int f() { return ::fork(); } }"),
            "calls fork",
        )

    def test_a_signal_handler(self):
        self.refused(
            self.with_text(
                "#include <csignal>\nnamespace fiberscope::lab01 { auto f() { return std::signal(11, SIG_IGN); } }"
            ),
            "calls signal",
        )

    def test_sigaction_interposed(self):
        self.refused(
            self.with_text('extern "C" int sigaction(int, const void*, void*) { return 0; }'), "defines sigaction"
        )

    def test_libc_start_main(self):
        self.refused(self.with_text('extern "C" int __libc_start_main() { return 0; }'), "defines __libc_start_main")

    def test_a_weak_main(self):
        self.refused(self.with_text('extern "C" __attribute__((weak)) int main() { return 0; }'), "defines main")

    def test_a_helper_of_the_tests(self):
        self.refused(
            self.with_text("namespace fiberscope::testing { int run_test() { return 0; } }"),
            "defines fiberscope::testing::run_test",
        )

    def test_an_ifunc(self):
        text = (
            'extern "C" { typedef void F(); static F* pick() { return nullptr; } '
            'void chosen() __attribute__((ifunc("_ZL4pickv"))); }'
        )
        self.refused(self.with_text(text), "defines|chosen while|does not compile")

    def test_swapcontext_instead_of_the_switch(self):
        self.refused(
            self.with_text("#include <ucontext.h>\n" + function("swapcontext(nullptr, nullptr)")),
            "calls swapcontext",
        )

    def test_the_c_library_ends_the_process(self):
        self.refused(
            self.with_text("#include <cstdlib>\nnamespace fiberscope::lab01 { void f() { std::_Exit(0); } }"),
            "calls _Exit",
        )

    @unittest.skipUnless(ARCH == "x86_64", "its instruction has another name elsewhere")
    def test_a_raw_system_call(self):
        self.refused(
            self.with_text('namespace fiberscope::lab01 { void f() { asm volatile(".byte 0x0f, 0x05"); } }'),
            "makes a system call by itself",
        )


class TheirSources(Attack):
    """What a source may not reach."""

    def test_the_solution_included(self):
        self.refused(self.with_text('#include "labs/01_switch_asm/solution/context.cpp"'), "does not compile")
        self.refused(self.with_text('#include "../solution/context.cpp"'), "does not compile")

    def test_the_solution_quoted(self):
        solution = ROOT / "labs" / LAB / "solution" / "context.cpp"
        self.refused(self.with_text('asm(".incbin \\"%s\\"");' % solution), "does not compile")

    def test_a_secret_of_the_instructor(self):
        self.refused(self.with_text('asm(".incbin \\"/etc/passwd\\"");'), "does not compile")

    def test_nothing_is_written_outside(self):
        target = Path(self.work) / "written"
        self.mark(self.with_text('#include "%s/no/such"' % self.work))
        self.assertFalse(target.exists())

    def test_compile_error_and_the_next_mark(self):
        broken, right = self.mark(self.with_text("not C++"), self.right())
        self.assertRegex(broken.refused, "context.cpp does not compile")
        self.assertEqual((broken.points, right.points), (0, right.most))


class TheirFolders(Attack):
    """What a submission may not bring."""

    def take(self, path):
        return submission.take(path, self.ground.expected_files())

    def refuses(self, path, pattern):
        with self.assertRaisesRegex(Refused, pattern):
            self.take(path)

    def archive(self, entries):
        path = Path(tempfile.mkdtemp(dir=self.work)) / "a.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
            for name, data in entries:
                out.writestr(name, data)
        return path

    def test_headers_that_shadow_the_kit(self):
        folder = self.right()
        (folder / "labs" / "kit").mkdir(parents=True)
        (folder / "labs" / "kit" / "report.h").write_text("")
        self.refuses(folder, "report.h is no file that you hand in")

    def test_steps_edited(self):
        folder = self.right()
        (folder / "steps.json").write_text("[]")
        self.refuses(folder, "steps.json is no file that you hand in")

    def test_a_link(self):
        folder = self.right()
        (folder / "context.cpp").unlink()
        (folder / "context.cpp").symlink_to("/etc/passwd")
        self.refuses(folder, "context.cpp cannot be read|no plain file")

    def test_a_fifo(self):
        folder = self.right()
        (folder / "context.cpp").unlink()
        os.mkfifo(folder / "context.cpp")
        self.refuses(folder, "no plain file")

    def test_a_path_that_climbs_out(self):
        self.refuses(self.archive([("../../context.cpp", "")]), "climbs out")
        self.refuses(self.archive([("/context.cpp", "")]), "climbs out")

    def test_a_bomb(self):
        self.refuses(self.archive([("context.cpp", "a" * (submission.MOST_BYTES + 1))]), "larger than")
        self.refuses(
            self.archive([("context.cpp", "")] + [("d%d/x" % i, "") for i in range(submission.MOST_ENTRIES + 2)]),
            "no file that|more than",
        )

    def test_two_files_of_one_name(self):
        self.refuses(self.archive([("context.cpp", "a"), ("exercise/context.cpp", "b")]), "two files context.cpp")

    def test_a_tar_with_a_device(self):
        path = Path(tempfile.mkdtemp(dir=self.work)) / "a.tar"
        with tarfile.open(path, "w") as out:
            entry = tarfile.TarInfo("context.cpp")
            entry.type = tarfile.CHRTYPE
            out.addfile(entry)
        self.refuses(path, "no plain file")

    def test_nothing_at_all(self):
        self.refuses(self.archive([]), "none of the files")
        self.refuses(Path(self.work) / "nowhere", "no directory, zip or tar")

    def test_the_usual_ways_to_hand_in(self):
        self.assertEqual(
            self.take(self.archive([("01_switch_asm/exercise/context.cpp", "x")])), {"context.cpp": b"x"}
        )
        self.assertEqual(self.take(self.archive([("context.cpp", "x")])), {"context.cpp": b"x"})

    def test_escape_sequences(self):
        with self.assertRaises(Refused) as caught:
            self.take(self.archive([("\x1b[31mred", "")]))
        self.assertNotIn("\x1b", str(caught.exception))


class TheirProcesses(Attack):
    """What a running program may not take. Not the grading of a whole lab: one program in the sandbox."""

    def run_code(self, code, **limits):
        place = Path(tempfile.mkdtemp(dir=self.work))
        place.chmod(0o755)
        (place / "a.cpp").write_text(
            "#include <cstdio>\n#include <cstdlib>\n#include <csignal>\n#include <cstring>\n#include <unistd.h>\n"
            "#include <fcntl.h>\n#include <sys/socket.h>\n#include <netinet/in.h>\nint main() {\n%s\n}\n" % code
        )
        self.assertEqual(os.system("c++ -w -o %s/a %s/a.cpp" % (place, place)), 0)
        view = sandbox.View([(place, "/program")])
        return sandbox.Sandbox(0, True).run(["/program/a"], view, sandbox.Limits(**limits), {}, with_report=True)

    def setUp(self):
        if not self.walled:
            self.skipTest("bubblewrap does not work here")

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
        self.assertEqual([pid for pid in sandbox.of_user(sandbox.user_of(0))] if os.geteuid() == 0 else [], [])

    def test_a_daemon_that_waits_for_its_parents_end(self):
        self.run_code("if (::fork() == 0) { ::setsid(); ::sleep(100); }")
        if os.geteuid() == 0:
            self.assertEqual(sandbox.of_user(sandbox.user_of(0)), [])

    def test_the_grader_is_not_there(self):
        outcome = self.run_code(
            'printf("%d", ::kill(::getppid(), SIGKILL)); for (int p = 2; p < 40000; ++p) ::kill(p, SIGKILL);'
        )
        self.assertEqual(outcome.why, "")

    def test_no_network(self):
        outcome = self.run_code(
            "sockaddr_in a{}; a.sin_family = AF_INET; a.sin_port = htons(9); a.sin_addr.s_addr = htonl(0x08080808);\n"
            'printf("%d", ::connect(::socket(AF_INET, SOCK_STREAM, 0), (sockaddr*)&a, sizeof a));'
        )
        self.assertEqual(outcome.output, "-1")

    def test_no_file_outside(self):
        outcome = self.run_code(
            'printf("%%d %%d %%d", ::open("/etc/passwd", O_RDONLY), ::open("%s", O_RDONLY),'
            ' ::open("/usr/written", O_CREAT | O_WRONLY));' % ROOT
        )
        self.assertEqual(outcome.output, "-1 -1 -1")

    def test_the_environment_of_the_instructor(self):
        os.environ["SECRET_OF_THE_INSTRUCTOR"] = "1"
        self.assertEqual(self.run_code('printf("%d", getenv("SECRET_OF_THE_INSTRUCTOR") != nullptr);').output, "0")

    def test_a_file_for_later_tests(self):
        self.run_code('::close(::open("/tmp/left", O_CREAT | O_WRONLY, 0666));')
        self.assertEqual(self.run_code('printf("%d", ::access("/tmp/left", F_OK));').output, "-1")


class TheirReports(unittest.TestCase):
    """What the report of a test must be to count."""

    def verdict(self, report, status=0):
        return judge.verdict_on(sandbox.Outcome(status, "", report), "secret")[0]

    def test_only_one_end_with_the_nonce_counts(self):
        self.assertTrue(self.verdict("done\tsecret\t3\t0\n"))
        for report in (
            "",
            "done\tguess\t3\t0\n",
            "done\tsecret\t0\t0\n",
            "done\tsecret\t3\t1\n",
            "done\tsecret\t3\n",
            "done\tsecret\t3\t0\ndone\tsecret\t3\t0\n",
            "failed\tf\t1\ta\tb\tc\ndone\tsecret\t3\t0\n",
            "not-implemented\t1.1\tx\ty\ndone\tsecret\t3\t0\n",
            "fault\t11\tx\t-\tm\t0\t1\tcrash\ndone\tsecret\t3\t0\n",
        ):
            self.assertFalse(self.verdict(report), report)
        self.assertFalse(self.verdict("done\tsecret\t3\t0\n", status=1))
        self.assertFalse(self.verdict("done\tsecret\t3\t0\n", status=-11))


class TheWholeWay(Attack):
    def run_program(self, *arguments):
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()) as complaints:
            status = program.main(list(arguments))
        return status, said.getvalue(), complaints.getvalue()

    def test_right_half_and_wrong(self):
        half, wrong = self.right("half"), self.right("wrong")
        (half / "coroutine.cpp").unlink()
        shutil.copy(ROOT / "labs" / LAB / "exercise" / ("switch_%s.S" % ARCH), wrong)
        right, half, wrong = self.mark(self.right(), half, wrong, parallel=2)
        self.assertEqual(right.points, right.most)
        self.assertEqual([step.number for step in half.steps if step.solved], ["1.1", "1.2", "1.6"])
        self.assertEqual([step.number for step in wrong.steps if step.solved], ["1.1"])

    def test_an_interrupted_run_goes_on(self):
        state, folder = Path(self.work) / "state", self.right()
        first = self.mark(folder, state=state)
        began = os.times()
        again = self.mark(folder, state=state)
        self.assertEqual(formats.as_data(first)["steps"], formats.as_data(again)["steps"])
        self.assertLess(os.times().children_user - began.children_user, 0.5)
        (folder / "context.cpp").write_text("not C++")
        self.assertEqual(self.mark(folder, state=state).points, 0)

    def test_formats(self):
        mark = self.mark(self.with_text("not C++", name="=cmd"))
        gradescope = json.loads(formats.as_gradescope([mark]))
        self.assertEqual((gradescope["score"], len(gradescope["tests"])), (0, 6))
        self.assertTrue(formats.as_csv([mark]).splitlines()[1].startswith("'=cmd,0"))
        self.assertEqual(json.loads(formats.as_json([mark]))["marks"][0]["graded"], False)

    def test_an_old_report_never_stays(self):
        report = Path(self.work) / "report"
        report.write_text("100 points")
        status, _, complaints = self.run_program("77", str(self.right()), "--out", str(report))
        self.assertEqual(status, 2)
        self.assertIn("there is no lab 77", complaints)
        self.assertEqual(report.read_text(), "")


if __name__ == "__main__":
    unittest.main(verbosity=1)
