# shellcheck shell=bash
# Installs missing packages with apt. On systems other than Debian and Ubuntu it prints what is needed and continues.
# Sourced by `lab`.

# Progress messages; `lab` overrides this to print them in the user's language (tools/say.sh).
phrase() {
  local text=${1/'{0}'/"${2:-}"}
  echo "${text/'{1}'/"${3:-}"}"
}

# To build everything, use the viewer and draw pictures. Valgrind for its header: the kit announces its stacks.
packages_build="g++ cmake python3 ninja-build pkg-config gettext nlohmann-json3-dev catch2 libbenchmark-dev
  libboost-context-dev libboost-fiber-dev libboost-dev liburing-dev libimgui-dev
  libglfw3-dev libgl-dev libstb-dev fonts-dejavu-core ccache mold valgrind"
# To compile a student's files and link them with the installed fiberscope.
packages_labs="g++ cmake python3 ninja-build catch2 liburing-dev mold"
# To grade submissions: the sandbox and its filter of system calls.
packages_grade="bubblewrap python3 python3-seccomp"
# To build the web page (tools/web.sh).
packages_page="emscripten node-acorn python3-fonttools fontconfig fonts-dejavu-core dpkg-dev cmake ninja-build
  pkg-config gettext nlohmann-json3-dev libstb-dev"
# To build a Debian package (tools/package.sh).
packages_package="dpkg-dev file"
# Only for the tests; a system may lack some of the groups. The first two are for `./lab test`, the others for the
# additional parts of `--all`.
packages_test_format="clang-format"
packages_test_clang="clang libclang-rt-dev"
packages_test_bare="mmdebstrap"
packages_test_browsers="chromium firefox-esr"
packages_test_aarch64="g++-aarch64-linux-gnu qemu-user gdb-multiarch"
packages_test_more="libvalijson-dev xvfb xauth xdotool gdb spin libhiredis-dev libsqlite3-dev
  libssl-dev redis-server mkdocs-material python3-pil python3-greenlet python3-gevent libst-dev golang-go"

missing_packages() {
  local package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || printf '%s ' "$package"
  done
}

# as_root COMMAND…: through sudo when not root.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else
    echo "lab: to install packages, run this as root or install sudo." >&2
    return 1
  fi
}

# run_apt ARGUMENT…: apt-get, without questions. Waits up to two minutes while another package manager holds a lock. If
# apt-get fails, prints its errors and returns 1.
run_apt() {
  local said waits=""
  said=$(mktemp)
  SECONDS=0
  until as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" </dev/null >"$said" 2>&1; do
    if ! grep -qE "^E: (Could not get lock|.*is another process using it)" "$said" ||
      [ $SECONDS -ge "${FIBERSCOPE_LOCK_WAIT:-120}" ]; then
      grep -E "^(E:|dpkg:|sudo:|lab:)" "$said" >&2 || tail -n 5 "$said" >&2
      rm -f "$said"
      return 1
    fi
    [ -n "$waits" ] || phrase "lab: another package manager is running; waiting for it for up to two minutes" >&2
    waits=yes
    sleep 2
  done
  rm -f "$said"
}

# install_packages PURPOSE PACKAGE…: announces the missing packages and the purpose, and installs them. If that fails,
# prints apt's error and a remedy, and returns 1. A no-op if only help is requested (`asks`) or apt is missing.
install_packages() {
  local purpose=$1 missing
  shift
  [ -z "${asks:-}" ] || return 0
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    if [ -z "${packages_named:-}" ]; then
      echo "lab: apt is not installed. fiberscope needs a C++20 compiler, CMake 3.22, Ninja, pkg-config, gettext,"
      echo "lab: nlohmann-json, Catch2, Google Benchmark, Boost.Context, GLFW 3.3, OpenGL."
      packages_named=yes
    fi
    return 0
  fi
  missing=$(missing_packages "$@")
  [ -z "$missing" ] && return 0
  phrase "lab: installing, {0}: {1}" "$purpose" "$missing"
  if [ -z "${packages_updated:-}" ]; then
    run_apt update || phrase "lab: apt-get update failed; using the existing package lists" >&2
    packages_updated=yes
  fi
  # shellcheck disable=SC2086  # a list of names
  run_apt install -y --no-install-recommends $missing || {
    phrase "lab: these packages could not be installed: {0}" "$missing" >&2
    phrase "lab: correct the error above, then repeat the command; or install them by hand: sudo apt install {0}" \
      "$missing" >&2
    return 1
  }
}

install_for_build() {
  # shellcheck disable=SC2086
  install_packages "$(phrase "to build and to watch")" $packages_build || {
    phrase "lab: continuing with the installed packages" >&2
  }
}

install_for_labs() {
  # shellcheck disable=SC2086
  install_packages "$(phrase "to compile your files")" $packages_labs || {
    phrase "lab: continuing with the installed packages" >&2
  }
}

# install_all: installs all packages, for .devcontainer/Dockerfile. Returns 1 if one is missing afterwards.
install_everything() {
  # shellcheck disable=SC2086
  install_packages "all packages" $packages_build $packages_labs $packages_grade $packages_page $packages_package \
    $packages_test_format $packages_test_clang $packages_test_aarch64 $packages_test_bare $packages_test_more \
    $packages_test_browsers
}

# install_for_test first|all: installs the packages for the first parts of the tests, or for all. In CI a missing
# package is an error; elsewhere the tests that need it are skipped.
install_for_test() {
  local group status=0 groups=("$packages_test_format" "$packages_test_more" "$packages_grade")
  install_for_build
  [ "$1" = first ] ||
    groups+=("$packages_test_clang" "$packages_test_aarch64" "$packages_test_bare" "$packages_page"
      "$packages_test_browsers")
  for group in "${groups[@]}"; do
    # shellcheck disable=SC2086
    install_packages "for the tests" $group || status=1
  done
  if [ $status != 0 ] && [ "${CI:-}" = true ]; then
    echo "lab: CI needs all of them" >&2
    return 1
  fi
}
