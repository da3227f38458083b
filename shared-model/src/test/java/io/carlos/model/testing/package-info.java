/** What tests of several packages share: generated inputs that a seed repeats. */
@NullMarked
package io.carlos.model.testing;

import org.jspecify.annotations.NullMarked;
