/** Writing down how systemd saw a unit end. */
@NullMarked
package io.carlos.guest.namespace.exitrecord;

import org.jspecify.annotations.NullMarked;
