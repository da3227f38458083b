/** Trying from inside whether the boundary around a tenant holds. */
@NullMarked
package io.carlos.guest.namespace.probe;

import org.jspecify.annotations.NullMarked;
