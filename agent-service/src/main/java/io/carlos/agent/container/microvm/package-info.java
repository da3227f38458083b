/** Containers that are virtual machines, each with its own kernel, and with helpers beside its monitor. */
@NullMarked
package io.carlos.agent.container.microvm;

import org.jspecify.annotations.NullMarked;
