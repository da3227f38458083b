/** The verbs: which calls of systemd each makes, in which order, and what it waits for. */
@NullMarked
package io.carlos.control.verb;

import org.jspecify.annotations.NullMarked;
