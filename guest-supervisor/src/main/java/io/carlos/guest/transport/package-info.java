/** Where the supervisor listens, and whom it lets in. */
@NullMarked
package io.carlos.guest.transport;

import org.jspecify.annotations.NullMarked;
