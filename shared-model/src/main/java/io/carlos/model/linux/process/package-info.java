/** Linux processes as Java does not give them: spawning with exact descriptors, waiting, signalling, reading /proc. */
@NullMarked
package io.carlos.model.linux.process;

import org.jspecify.annotations.NullMarked;
