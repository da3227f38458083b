/** What the service counts of itself. */
@NullMarked
package io.carlos.control.metrics;

import org.jspecify.annotations.NullMarked;
