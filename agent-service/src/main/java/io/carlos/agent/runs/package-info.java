/** The runs worker: picks a run, stages its files, executes it once, stores its output in order and its result last. */
@NullMarked
package io.carlos.agent.runs;

import org.jspecify.annotations.NullMarked;
