/** What the agent counts and measures, by narrow listeners to its core. */
@NullMarked
package io.carlos.agent.service.metrics;

import org.jspecify.annotations.NullMarked;
