/** The interactive shell: one command line after the other, with completion and history. */
@NullMarked
package io.carlos.cli.shell;

import org.jspecify.annotations.NullMarked;
