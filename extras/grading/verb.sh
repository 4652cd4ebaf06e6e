# shellcheck shell=bash disable=SC2154
# The verb grade. Sourced by `lab`, whose root, phrase and install_packages it uses.

# grade NN SUBMISSION…: docs/grading.md.
grade() {
  # shellcheck disable=SC2086  # a list
  { command -v bwrap && (system_python -c "import seccomp"); } >/dev/null 2>&1 ||
    install_packages "$(phrase "to grade in a sandbox")" $packages_grade || true
  has_python || { usage_of grade; exit; }
  python_program "$home/extras/grading" "$@"
}
