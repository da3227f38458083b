/** Runs as plain child processes of the agent: no isolation, and no root needed. */
@NullMarked
package io.carlos.agent.launch.process;

import org.jspecify.annotations.NullMarked;
