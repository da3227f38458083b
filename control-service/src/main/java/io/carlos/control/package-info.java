/** The root service that drives the tenants' units for the agent. */
@NullMarked
package io.carlos.control;

import org.jspecify.annotations.NullMarked;
