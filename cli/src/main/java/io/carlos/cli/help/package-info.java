/** The texts of {@code carlos help} and {@code carlos version}. */
@NullMarked
package io.carlos.cli.help;

import org.jspecify.annotations.NullMarked;
