/** The process's own standard streams, and what is written to them: bytes, tables, JSON. */
@NullMarked
package io.carlos.cli.console;

import org.jspecify.annotations.NullMarked;
