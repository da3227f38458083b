/** The instances of a box: what it should have, starting and stopping them, and noticing their ends. */
@NullMarked
package io.carlos.agent.instance;

import org.jspecify.annotations.NullMarked;
