# shellcheck shell=bash
# Installs what is missing, by name, with apt. Sourced by `lab`, which sets nothing else; elsewhere than on Debian and
# Ubuntu it names what is needed and goes on.

# What is said while installing; `lab` says it in the language of the reader (tools/say.sh).
phrase() {
  local text=${1/'{0}'/"${2:-}"}
  echo "${text/'{1}'/"${3:-}"}"
}

# To build everything, watch it and draw pictures.
packages_build="g++ cmake python3 ninja-build pkg-config gettext nlohmann-json3-dev libcli11-dev catch2 libbenchmark-dev
  libboost-context-dev libboost-fiber-dev libboost-dev libevent-dev libuv1-dev liburing-dev libimgui-dev
  libglfw3-dev libgl-dev libstb-dev zlib1g-dev fonts-dejavu-core"
# To grade submissions: the sandbox, its filter of system calls, and what reads objects.
packages_grade="bubblewrap python3 python3-seccomp python3-pyelftools python3-capstone"
# The viewer as a page (tools/web.sh).
packages_page="emscripten node-acorn python3-fonttools fontconfig fonts-dejavu-core dpkg-dev"
# Only the tests need these; each group may be missing where the system does not have it. The first two are for what
# `./lab test` runs, the others for what `--all` adds.
packages_test_format="clang-format-14"
packages_test_clang="clang-14 libclang-rt-14-dev"
packages_test_browsers="chromium firefox-esr"
packages_test_aarch64="g++-aarch64-linux-gnu qemu-user gdb-multiarch"
packages_test_more="libvalijson-dev valgrind xvfb xauth xdotool ccache mold gdb spin libhiredis-dev
  libsqlite3-dev libssl-dev redis-server mkdocs-material python3-greenlet python3-gevent libst-dev golang-go"

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

# install_packages PURPOSE PACKAGE…: status 1 if they are not there afterwards. Names them and the purpose first; does
# nothing where only help is asked for (`asks`).
install_packages() {
  local purpose=$1 missing
  shift
  [ -z "${asks:-}" ] || return 0
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    if [ -z "${packages_named:-}" ]; then
      echo "lab: there is no apt here. fiberscope needs a C++20 compiler, CMake 3.22, Ninja, pkg-config, gettext,"
      echo "lab: nlohmann-json, CLI11, Catch2, Google Benchmark, Boost.Context, GLFW 3.3, OpenGL, zlib."
      packages_named=yes
    fi
    return 0
  fi
  missing=$(missing_packages "$@")
  [ -z "$missing" ] && return 0
  phrase "lab: installing, {0}: {1}" "$purpose" "$missing"
  if [ -z "${packages_updated:-}" ]; then
    as_root apt-get update -qq </dev/null || echo "lab: apt-get update failed; trying with the lists that are here" >&2
    packages_updated=yes
  fi
  # shellcheck disable=SC2086  # a list of names
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing \
    </dev/null >/dev/null || {
    echo "lab: apt could not install, $purpose: $missing" >&2
    return 1
  }
}

install_for_build() {
  # shellcheck disable=SC2086
  install_packages "$(phrase "to build and to watch")" $packages_build || {
    echo "lab: going on with what is here" >&2
  }
}

# All of them, for an image (.devcontainer/Dockerfile): status 1 if one is missing afterwards.
install_everything() {
  # shellcheck disable=SC2086
  install_packages "all packages" $packages_build $packages_test_format $packages_test_clang $packages_test_aarch64 \
    $packages_test_more $packages_grade $packages_page $packages_test_browsers
}

# install_for_test first|all: what the first parts of the tests need, or all parts. Under CI a test that cannot run is
# an error; at home it is left out with a word.
install_for_test() {
  local group status=0 groups=("$packages_test_format" "$packages_test_more" "$packages_grade")
  install_for_build
  [ "$1" = first ] ||
    groups+=("$packages_test_clang" "$packages_test_aarch64" "$packages_page" "$packages_test_browsers")
  for group in "${groups[@]}"; do
    # shellcheck disable=SC2086
    install_packages "for the tests" $group || status=1
  done
  if [ $status != 0 ] && [ "${CI:-}" = true ]; then
    echo "lab: under CI all of them are needed" >&2
    return 1
  fi
}
