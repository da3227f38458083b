/** Commands that ask the agent of this box, over its socket. */
@NullMarked
package io.carlos.cli.agent;

import org.jspecify.annotations.NullMarked;
