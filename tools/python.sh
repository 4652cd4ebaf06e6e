# shellcheck shell=bash disable=SC2154
# Starting of Python programs. Sourced by `lab`, whose home it uses.

# system_python OPTION…: replaces the shell by Python, preferably the system's, which has the system's packages. With -I
# nothing is imported from the current directory, which may contain untrusted files, nor from PYTHONPATH.
system_python() {
  if [ -x /usr/bin/python3 ]; then exec /usr/bin/python3 -I -B "$@"; else exec python3 -I -B "$@"; fi
}

# python_program FILE|PACKAGE [ARGUMENT…]: the same with a program of this tree.
python_program() { system_python "$home/tools/program.py" "$@"; }

has_python() { [ -x /usr/bin/python3 ] || command -v python3 >/dev/null; }
