/** Text where it enters and leaves as bytes. */
@NullMarked
package io.carlos.model.text;

import org.jspecify.annotations.NullMarked;
