/** The agent as a service: its parts as beans, and the flow that carries each noted run to the worker. */
@NullMarked
package io.carlos.agent.service;

import org.jspecify.annotations.NullMarked;
