/** The C library as the program in the namespace sees it, and files and names on top of it. */
@NullMarked
package io.carlos.guest.namespace.calls;

import org.jspecify.annotations.NullMarked;
