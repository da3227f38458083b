/** The commands about instances and about the boxes that own them. */
@NullMarked
package io.carlos.cli.instances;

import org.jspecify.annotations.NullMarked;
