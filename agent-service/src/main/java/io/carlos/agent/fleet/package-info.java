/** This box among the others of its region: its sign of life, and which of the others must be taken for lost. */
@NullMarked
package io.carlos.agent.fleet;

import org.jspecify.annotations.NullMarked;
