/** Completion of command lines, in the user's own shell and in the interactive one. */
@NullMarked
package io.carlos.cli.completion;

import org.jspecify.annotations.NullMarked;
