# shellcheck shell=bash disable=SC2154
# The verb grade. Sourced by `lab`, whose root, phrase and install_packages it uses.

# grade NN SUBMISSION…: docs/grading.md.
grade() {
  local python=/usr/bin/python3
  [ -x $python ] || python=python3
  # shellcheck disable=SC2086  # a list
  { command -v bwrap && $python -c "import capstone, elftools, seccomp"; } >/dev/null 2>&1 ||
    install_packages "$(phrase for_grading)" $packages_grade || true
  command -v $python >/dev/null || { usage_of grade; exit; }
  PYTHONPATH=$root/extras exec "$python" -B -m grading "$@"
}
