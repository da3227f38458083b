/** The control channel as HTTP over the control service's unix socket. */
@NullMarked
package io.carlos.agent.control.http;

import org.jspecify.annotations.NullMarked;
