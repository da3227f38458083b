/** One command, exactly once: requests, results, output chunks, and the transitions of a run in its record. */
@NullMarked
package io.carlos.model.runs;

import org.jspecify.annotations.NullMarked;
