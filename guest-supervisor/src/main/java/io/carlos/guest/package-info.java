/** What runs inside a tenant's boundary. */
@NullMarked
package io.carlos.guest;

import org.jspecify.annotations.NullMarked;
