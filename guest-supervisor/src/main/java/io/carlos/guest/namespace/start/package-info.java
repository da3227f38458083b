/** The start of a command under another user's ids, by a program in between that the supervisor of a guest starts. */
@NullMarked
package io.carlos.guest.namespace.start;

import org.jspecify.annotations.NullMarked;
