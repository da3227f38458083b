/** The operators' command line. */
@NullMarked
package io.carlos.cli;

import org.jspecify.annotations.NullMarked;
