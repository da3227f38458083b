/** HTTP on unix sockets: listeners that are adopted or bound, limits, and the way a request takes to its verb. */
@NullMarked
package io.carlos.control.server;

import org.jspecify.annotations.NullMarked;
