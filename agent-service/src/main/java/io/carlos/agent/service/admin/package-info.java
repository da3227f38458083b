/** What operators ask and tell the agent, and the socket on which they do. */
@NullMarked
package io.carlos.agent.service.admin;

import org.jspecify.annotations.NullMarked;
