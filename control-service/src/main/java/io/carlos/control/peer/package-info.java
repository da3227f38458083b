/** Whom the service answers: decided for each connection before a byte of it is read. */
@NullMarked
package io.carlos.control.peer;

import org.jspecify.annotations.NullMarked;
