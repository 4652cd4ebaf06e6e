#!/usr/bin/env bash
# bare.sh SUITE [OPTION…] COMMAND: runs COMMAND in a clone of HEAD on a minimal Debian (bookworm, trixie), which is
# created for this run and removed afterwards. The system only has git, certificates and sudo; the user `student` may
# use sudo. Needs root or sudo, mmdebstrap, and 6 GB below /var/tmp. Exits with the status of COMMAND.
#
#   testing/bare.sh trixie './lab demo && ./lab test'
#
#   --package FILE.deb   installs this package with its dependencies and recommendations instead of the clone; git is
#                        missing unless the package depends on it, and COMMAND runs in an empty home
#   --with FOLDER        also copies a folder that git does not track into the clone, such as build/page/bin
#   --out DIR            copies the files that COMMAND writes to ~/out into DIR
set -euo pipefail
usage="usage: testing/bare.sh SUITE [--package FILE.deb] [--with FOLDER]… [--out DIR] COMMAND"
if [ "$(id -u)" != 0 ]; then exec sudo --preserve-env=FIBERSCOPE_WERROR "$0" "$@"; fi
command -v mmdebstrap >/dev/null || { echo "bare.sh: mmdebstrap is missing (apt install mmdebstrap)" >&2; exit 77; }
suite=${1:?$usage} package="" with=() out=""
shift
while [[ ${1:-} == --* && $# -gt 2 ]]; do
  case $1 in
    --package) package=$(realpath "$2") ;;
    --with) with+=("$2") ;;
    --out) out=$(realpath -m "$2") ;;
    *) echo "$usage" >&2; exit 2 ;;
  esac
  shift 2
done
[ $# = 1 ] || { echo "$usage" >&2; exit 2; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."
system=$(mktemp -d "/var/tmp/fiberscope-$suite.XXXXXX")
trap 'rm -rf --one-file-system "$system"' EXIT
trap 'exit 130' INT TERM

base=git,ca-certificates,sudo
[ -z "$package" ] || base=sudo
mmdebstrap --quiet --variant=minbase --include="$base" "$suite" "$system"
chroot "$system" useradd --create-home --shell /bin/bash student
echo 'student ALL=(ALL) NOPASSWD: ALL' >"$system/etc/sudoers.d/student"
prepare=true work=$system/home/student/fiberscope
if [ -n "$package" ]; then
  work=$system/home/student
  cp "$package" "$system/var/cache/fiberscope.deb"
  prepare="apt-get -qq update && apt-get -qq install -y /var/cache/fiberscope.deb >/var/log/package.log 2>&1 ||
    { tail -n 30 /var/log/package.log; exit 1; }"
else
  git -c safe.directory='*' clone --quiet --no-hardlinks . "$work"
  for folder in ${with[@]+"${with[@]}"}; do mkdir -p "$work/$folder" && cp -r "$folder/." "$work/$folder"; done
fi
chroot "$system" chown -R student: /home/student
cp /etc/resolv.conf /etc/hosts "$system/etc/"
cp /etc/apt/apt.conf.d/*proxy* "$system/etc/apt/apt.conf.d/" 2>/dev/null || true

# The mounts are private to this namespace, and its processes end with it.
unshare --mount --pid --fork --kill-child --propagation private bash -c '
  mount -t proc proc "$0/proc"
  mount --rbind /dev "$0/dev"
  mount --rbind /sys "$0/sys"
  mount -t tmpfs tmpfs "$0/tmp" && chmod 1777 "$0/tmp"
  chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive sh -ec "$3" &&
    exec chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/home/student USER=student TERM=dumb \
      ${FIBERSCOPE_WERROR:+FIBERSCOPE_WERROR=$FIBERSCOPE_WERROR} \
      su student -c "cd $1 && $2"' "$system" "${work#"$system"}" "$1" "$prepare"
[ -z "$out" ] || { mkdir -p "$out" && cp -r "$system/home/student/out/." "$out"; }
