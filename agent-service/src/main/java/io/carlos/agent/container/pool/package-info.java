/** Machines that are booted ahead of need. */
@NullMarked
package io.carlos.agent.container.pool;

import org.jspecify.annotations.NullMarked;
