/** Where things are on a box. */
@NullMarked
package io.carlos.model.box;

import org.jspecify.annotations.NullMarked;
