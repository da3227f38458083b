/** How carlos ends: exit codes, and the one sentence that goes with a failure. */
@NullMarked
package io.carlos.cli.exit;

import org.jspecify.annotations.NullMarked;
