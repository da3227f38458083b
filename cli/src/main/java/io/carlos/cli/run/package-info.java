/** The commands that ask for runs, follow them and end them, and the agents of the embedded default. */
@NullMarked
package io.carlos.cli.run;

import org.jspecify.annotations.NullMarked;
