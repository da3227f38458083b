/** Running a tenant's program as a child, and saying how it ended. */
@NullMarked
package io.carlos.guest.namespace.trampoline;

import org.jspecify.annotations.NullMarked;
