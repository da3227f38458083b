/** Time, threads and locks as a port, so that one schedule of the runs code can be replayed. */
@NullMarked
package io.carlos.model.time;

import org.jspecify.annotations.NullMarked;
