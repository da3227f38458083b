/** From the words of a command line to the command they ask for, and to the exit code it comes to. */
@NullMarked
package io.carlos.cli.argv;

import org.jspecify.annotations.NullMarked;
