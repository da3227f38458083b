/** What the supervisor will do in each phase of its life. */
@NullMarked
package io.carlos.guest.state;

import org.jspecify.annotations.NullMarked;
