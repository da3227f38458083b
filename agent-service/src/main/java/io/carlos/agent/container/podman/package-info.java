/** Containers that the program {@code podman} runs. */
@NullMarked
package io.carlos.agent.container.podman;

import org.jspecify.annotations.NullMarked;
