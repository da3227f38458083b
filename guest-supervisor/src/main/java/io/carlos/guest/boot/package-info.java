/** What the supervisor learns from its surroundings before it serves. */
@NullMarked
package io.carlos.guest.boot;

import org.jspecify.annotations.NullMarked;
