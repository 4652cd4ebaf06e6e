"""What the report of a test must be to count."""

import unittest

from grading import judge, sandbox


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
