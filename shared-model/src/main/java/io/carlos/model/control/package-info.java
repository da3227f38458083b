/** The control channel's protocol: what the agent asks the control service for, and what comes back. */
@NullMarked
package io.carlos.model.control;

import org.jspecify.annotations.NullMarked;
