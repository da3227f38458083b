/** Runs in containers and virtual machines, one of their own for each. */
@NullMarked
package io.carlos.agent.launch.container;

import org.jspecify.annotations.NullMarked;
