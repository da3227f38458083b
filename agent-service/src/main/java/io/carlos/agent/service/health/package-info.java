/** Whether the agent lives and is ready, check by check, for the actuator. */
@NullMarked
package io.carlos.agent.service.health;

import org.jspecify.annotations.NullMarked;
