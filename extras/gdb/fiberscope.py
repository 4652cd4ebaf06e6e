# Loaded by gdb: `source extras/gdb/fiberscope.py`, or automatically by ./lab debug and .debug_gdb_scripts.
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fiberscope_gdb.commands  # noqa: E402

fiberscope_gdb.commands.register()
