/** {@code carlos vm}: the virtual machines of this box. */
@NullMarked
package io.carlos.cli.vm;

import org.jspecify.annotations.NullMarked;
