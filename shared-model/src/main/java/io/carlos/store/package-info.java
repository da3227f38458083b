/** The object store: the one place that boxes and operators share, and its implementations. */
@NullMarked
package io.carlos.store;

import org.jspecify.annotations.NullMarked;
