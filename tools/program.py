"""program.py FILE|PACKAGE [ARGUMENT…]: runs a Python program of this tree. tools/python.sh starts it with -I, so that
no module comes from the current directory or PYTHONPATH; the folder of the program is added to sys.path."""

import runpy
import signal
import sys
from pathlib import Path

# Raises an exception, so that temporary directories are removed. SIGINT already does.
for number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, lambda number, _frame: sys.exit(128 + number))
del sys.argv[0]
program = Path(sys.argv[0]).resolve()
sys.path.insert(0, str(program.parent))
if program.is_dir():
    runpy.run_module(program.name, run_name="__main__", alter_sys=True)
else:
    runpy.run_path(str(program), run_name="__main__")
