/** The C library's functions in a program that TeaVM compiles to C, and the entry point of that program. */
@NullMarked
package io.carlos.guest.namespace.teavm;

import org.jspecify.annotations.NullMarked;
