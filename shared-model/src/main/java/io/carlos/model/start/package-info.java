/** How a command is handed over to the program that takes on its user's ids and becomes it. */
@NullMarked
package io.carlos.model.start;

import org.jspecify.annotations.NullMarked;
