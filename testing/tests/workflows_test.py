"""The workflows of .github only call scripts of the tree; a release has a section in CHANGELOG.md."""

import os
import re
import subprocess
import unittest

from tree import ROOT, read

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def commands(text):
    """The commands after `run:` in a workflow."""
    return re.findall(r"^\s*(?:- )?run:\s*(.*)$", text, re.M)


def is_script(command):
    path = ROOT / command.split()[0] if command.split() else ROOT
    return path.is_file() and os.access(path, os.X_OK)


def publish(tag):
    command = [ROOT / ".ci/publish", tag, ROOT / ".github"]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "DRY_RUN": "yes"})


class Workflows(unittest.TestCase):
    def test_each_line_that_runs_calls_a_script_of_the_tree(self):
        self.assertEqual([path.stem for path in WORKFLOWS], ["ci", "pages", "release"])
        for path in WORKFLOWS:
            found = commands(path.read_text())
            self.assertTrue(found, path)
            self.assertEqual([command for command in found if not is_script(command)], [], path)

    def test_a_line_that_does_not_is_found(self):
        self.assertEqual(commands("    - run: a b\n      run: |\n"), ["a b", "|"])
        self.assertFalse(is_script("|") or is_script("VERSION") or is_script("tools/nowhere.sh"))

    def test_they_are_yaml_with_jobs(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("PyYAML is not installed")
        for path in WORKFLOWS:
            jobs = yaml.safe_load(path.read_text())["jobs"]
            needed = {need for job in jobs.values() for need in [job.get("needs", [])] for need in
                      ([need] if isinstance(need, str) else need)}  # fmt: skip
            self.assertLessEqual(needed, set(jobs), path)
            self.assertTrue(all(job["runs-on"] and job["steps"] for job in jobs.values()), path)

    def test_a_release_has_the_tag_of_version_and_a_part_of_the_changelog(self):
        version = read("VERSION").strip()
        right = publish(f"v{version}")
        self.assertEqual(right.returncode, 0, right.stderr)
        self.assertRegex(right.stdout, rf"^gh release create v{version} --verify-tag --notes ")
        self.assertNotEqual(publish("v9.9.9").returncode, 0)


if __name__ == "__main__":
    unittest.main()
