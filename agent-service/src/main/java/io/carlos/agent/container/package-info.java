/** Running commands inside an isolated place, whichever technique isolates it. */
@NullMarked
package io.carlos.agent.container;

import org.jspecify.annotations.NullMarked;
