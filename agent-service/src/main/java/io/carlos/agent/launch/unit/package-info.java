/** Runs as one-off command units of systemd, in the namespace of their instance. */
@NullMarked
package io.carlos.agent.launch.unit;

import org.jspecify.annotations.NullMarked;
