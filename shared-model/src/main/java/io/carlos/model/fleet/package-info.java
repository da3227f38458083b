/** The boxes of a store, as they show themselves to each other and to operators. */
@NullMarked
package io.carlos.model.fleet;

import org.jspecify.annotations.NullMarked;
