/** The program inside a tenant's namespace: it is compiled ahead of time, since no JVM can start in there. */
@NullMarked
package io.carlos.guest.namespace;

import org.jspecify.annotations.NullMarked;
