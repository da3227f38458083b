/** JSON as every stored object and every answer of Carlos is written. */
@NullMarked
package io.carlos.model.json;

import org.jspecify.annotations.NullMarked;
