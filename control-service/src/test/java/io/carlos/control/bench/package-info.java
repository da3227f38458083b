/** Measures the built service; run by the profile {@code bench}. */
@NullMarked
package io.carlos.control.bench;

import org.jspecify.annotations.NullMarked;
