/** The service as a Boot application under systemd. */
@NullMarked
package io.carlos.control.boot;

import org.jspecify.annotations.NullMarked;
