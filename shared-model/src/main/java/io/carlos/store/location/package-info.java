/** Where a store is, as operators write it, and the one place that opens either kind. */
@NullMarked
package io.carlos.store.location;

import org.jspecify.annotations.NullMarked;
