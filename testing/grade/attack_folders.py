"""What a submission may not bring."""

import os
import tarfile
import tempfile
import zipfile
from pathlib import Path

from grade import submission
from grade.errors import Refused
from support import LAB, Attack


class TheirFolders(Attack):
    """What a submission may not bring."""

    def take(self, path):
        return submission.take(path, self.ground.expected_files())[LAB]

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
