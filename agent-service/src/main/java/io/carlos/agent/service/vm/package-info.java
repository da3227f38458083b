/** The virtual machines that operators make by hand, and the commands that they execute in them. */
@NullMarked
package io.carlos.agent.service.vm;

import org.jspecify.annotations.NullMarked;
