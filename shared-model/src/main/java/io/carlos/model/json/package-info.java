/** JSON as all services write and read it, and the strict reader of files that others can write. */
@NullMarked
package io.carlos.model.json;

import org.jspecify.annotations.NullMarked;
