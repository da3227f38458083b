/** Starting commands, following them to their end, and leaving nothing of them. */
@NullMarked
package io.carlos.guest.exec;

import org.jspecify.annotations.NullMarked;
