/** systemd as the verbs see it, and {@code systemctl} behind it. */
@NullMarked
package io.carlos.control.unit;

import org.jspecify.annotations.NullMarked;
