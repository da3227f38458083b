/** The embedded default: agents of one machine over a directory store, without root and without services. */
@NullMarked
package io.carlos.agent.local;

import org.jspecify.annotations.NullMarked;
