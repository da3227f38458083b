#!/bin/sh
# Compiles the C code that TeaVM made of the program for namespaces.
#
# usage: compile.sh C_DIRECTORY OUTPUT COMMAND_LINE_PROGRAM CONTROL_PROGRAM
#
# OUTPUT is static and stripped, with musl where its compiler is installed, else with glibc. OUTPUT-checked is the same
# program with AddressSanitizer and UndefinedBehaviorSanitizer, for tests. Without a C compiler nothing is made and the
# reason printed; with CARLOS_REQUIRE_NATIVE=1 in the environment that is a failure.
set -eu
export LC_ALL=C

code=$1/all.c output=$2 command_line=$3 control=$4

missing() {
  echo "native program: not built: $*" >&2
  [ "${CARLOS_REQUIRE_NATIVE:-}" != 1 ] || exit 1
  exit 0
}

compile() { # OUTPUT FLAG...
  to=$1
  shift
  # The collector casts between types of pointers, and integers wrap around as in Java.
  if ! "$@" -O1 -fwrapv -fno-strict-aliasing -Werror=implicit-function-declaration -Werror=int-conversion \
    -Wsequence-point "-DCARLOS_COMMAND_LINE=\"$command_line\"" "-DCARLOS_CONTROL=\"$control\"" \
    -o "$to.new" "$code" -lm -lrt 2>"$to.log"; then
    grep error "$to.log" >&2 || cat "$to.log" >&2
    exit 1
  fi
  # Two C variables read in one Java expression: the compiler may take one for the other.
  if grep -q "operation on 'teavm_tmp" "$to.log"; then
    echo "native program: two variables of Libc are read in one expression; give each a statement of its own" >&2
    exit 1
  fi
  mv "$to.new" "$to"
}

command -v gcc >/dev/null 2>&1 || missing "there is no C compiler; install gcc, and musl-tools for the smaller program"
if command -v musl-gcc >/dev/null 2>&1; then
  compile "$output" musl-gcc -static -s
else
  compile "$output" gcc -static -s
fi
if [ -e "$(gcc -print-file-name=libasan.so)" ] && [ -e "$(gcc -print-file-name=libubsan.so)" ]; then
  compile "$output-checked" gcc -g -fsanitize=address,undefined -fno-sanitize-recover=all
else
  echo "native program: $output-checked: not built: gcc comes without its sanitizers" >&2
  [ "${CARLOS_REQUIRE_NATIVE:-}" != 1 ] || exit 1
fi
