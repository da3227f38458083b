/** What tests of several packages share. */
@NullMarked
package io.carlos.control.testing;

import org.jspecify.annotations.NullMarked;
