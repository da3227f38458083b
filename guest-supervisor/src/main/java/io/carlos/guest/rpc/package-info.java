/** The five calls of the protocol, on top of executions. */
@NullMarked
package io.carlos.guest.rpc;

import org.jspecify.annotations.NullMarked;
