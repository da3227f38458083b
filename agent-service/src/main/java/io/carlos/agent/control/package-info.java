/** The control service as the agent uses it: units started, watched and stopped by verbs on a unix socket. */
@NullMarked
package io.carlos.agent.control;

import org.jspecify.annotations.NullMarked;
