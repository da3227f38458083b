/** The host's side of the protocol with a guest's supervisor. */
@NullMarked
package io.carlos.agent.guest;

import org.jspecify.annotations.NullMarked;
