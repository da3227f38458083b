# Sourced by the scripts that need a JDK, which may be another one than the PATH's.

want_java=25

# Sets and exports JAVA_HOME: as it is when that is a JDK new enough, else the newest below /usr/lib/jvm.
# Fails when there is none; then $no_jdk says so in a sentence. Starts no process, since carlos does this at each start.
find_jdk() {
  no_jdk="no JDK $want_java or newer: set JAVA_HOME to one, or install it under /usr/lib/jvm (Debian 13: apt-get install openjdk-25-jdk-headless)"
  read_java_feature "${JAVA_HOME:-}"
  if [ "$java_feature" -lt "$want_java" ]; then
    newest=0
    for candidate in /usr/lib/jvm/*; do
      read_java_feature "$candidate"
      if [ "$java_feature" -gt "$newest" ]; then
        newest=$java_feature
        JAVA_HOME=$candidate
      fi
    done
    [ "$newest" -ge "$want_java" ] || return 1
  fi
  export JAVA_HOME
}

# Sets java_feature to the feature number of the JDK at $1, as in 25, or to 0 when there is none; read off its release file.
read_java_feature() {
  java_feature=0
  if [ -x "$1/bin/javac" ] && [ -r "$1/release" ]; then
    while IFS= read -r line; do
      case $line in
        'JAVA_VERSION="'[1-9]*)
          java_feature=${line#'JAVA_VERSION="'}
          java_feature=${java_feature%%[!0-9]*}
          ;;
      esac
    done <"$1/release"
  fi
}
