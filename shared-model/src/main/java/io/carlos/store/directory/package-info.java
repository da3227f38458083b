/** The object store in a directory: for one machine and any number of its processes. */
@NullMarked
package io.carlos.store.directory;

import org.jspecify.annotations.NullMarked;
