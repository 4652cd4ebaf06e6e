#!/usr/bin/env bash
# bare.sh SUITE COMMAND: runs COMMAND in a clone of HEAD on a minimal Debian (bookworm, trixie), which is created for
# this run and removed afterwards. The system has git, certificates and sudo, and nothing else; the user `student` may
# use sudo. Needs root or sudo, mmdebstrap, and 6 GB below /var/tmp. Exits with the status of COMMAND.
#
#   testing/bare.sh trixie './lab demo && ./lab test'
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ $# = 2 ] || { echo "usage: testing/bare.sh SUITE COMMAND" >&2; exit 2; }
if [ "$(id -u)" != 0 ]; then exec sudo --preserve-env=FIBERSCOPE_WERROR "$0" "$@"; fi
command -v mmdebstrap >/dev/null || { echo "bare.sh: mmdebstrap is missing (apt install mmdebstrap)" >&2; exit 77; }
suite=$1
system=$(mktemp -d "/var/tmp/fiberscope-$suite.XXXXXX")
trap 'rm -rf --one-file-system "$system"' EXIT
trap 'exit 130' INT TERM

mmdebstrap --quiet --variant=minbase --include=git,ca-certificates,sudo "$suite" "$system"
chroot "$system" useradd --create-home --shell /bin/bash student
echo 'student ALL=(ALL) NOPASSWD: ALL' >"$system/etc/sudoers.d/student"
git -c safe.directory='*' clone --quiet --no-hardlinks . "$system/home/student/fiberscope"
chroot "$system" chown -R student: /home/student
cp /etc/resolv.conf /etc/hosts "$system/etc/"
cp /etc/apt/apt.conf.d/*proxy* "$system/etc/apt/apt.conf.d/" 2>/dev/null || true

# The mounts are private to this namespace, and its processes end with it.
unshare --mount --pid --fork --kill-child --propagation private bash -c '
  mount -t proc proc "$0/proc"
  mount --rbind /dev "$0/dev"
  mount --rbind /sys "$0/sys"
  mount -t tmpfs tmpfs "$0/tmp" && chmod 1777 "$0/tmp"
  exec chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/home/student USER=student TERM=dumb \
    ${FIBERSCOPE_WERROR:+FIBERSCOPE_WERROR=$FIBERSCOPE_WERROR} \
    su student -c "cd ~/fiberscope && $1"' "$system" "$2"
