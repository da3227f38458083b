# What build and build-tools share; to be sourced. The caller has set -euo pipefail.

guest_cache=${CARLOS_CACHE:-$HOME/.cache/carlos}/guest
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

die() {
  echo "${0##*/}: $*" >&2
  exit 1
}

require() { # PROGRAM...
  local program
  for program in "$@"; do
    command -v "$program" >/dev/null || die "$program is missing; expected a Debian or a system made from it, with $*"
  done
  [ -r "$keyring" ] || die "$keyring is missing; install debian-archive-keyring"
}

# Held by one build at a time; makes $work, which goes with the script.
enter() { # NAME
  mkdir -p "$guest_cache"
  exec 9>"$guest_cache/$1.lock"
  flock -w 1800 9 || die "another ${0##*/} holds $guest_cache/$1.lock for half an hour"
  # Whatever a killed build left, nobody builds now.
  rm -rf --one-file-system -- "$guest_cache/$1".tmp.*
  work=$(mktemp -d "$guest_cache/$1.tmp.XXXXXX")
  trap 'rm -rf --one-file-system -- "$work"' EXIT
}

# Makes a name in the cache mean this directory from now on.
point() { # NAME DIRECTORY
  ln -sfn -- "$2" "$guest_cache/$1.new.$$"
  mv -T -- "$guest_cache/$1.new.$$" "$guest_cache/$1"
}

# The mirror that this machine uses, whatever its name.
find_mirror() {
  mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
    sed 's/#.*//' | grep -oE '(https?|file|mirror)[+a-z]*:[^ ]+/debian/?( |$)' | head -n 1 | tr -d ' ') || true
  [ -n "$mirror" ] || die "no mirror whose path ends in /debian in the apt sources of this machine"
}
