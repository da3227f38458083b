/** The agent of a box: what it is called, its parts put together, and its life. */
@NullMarked
package io.carlos.agent;

import org.jspecify.annotations.NullMarked;
