/** Commands as annotated methods: their declaration, their tree of names, and the binding of words to parameters. */
@NullMarked
package io.carlos.cli.command;

import org.jspecify.annotations.NullMarked;
