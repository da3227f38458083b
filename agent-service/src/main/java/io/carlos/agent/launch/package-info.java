/** Starting one run's command behind an isolation backend, and following it to its end. */
@NullMarked
package io.carlos.agent.launch;

import org.jspecify.annotations.NullMarked;
