/** Which store a command means, and what is asked of stores themselves. */
@NullMarked
package io.carlos.cli.store;

import org.jspecify.annotations.NullMarked;
