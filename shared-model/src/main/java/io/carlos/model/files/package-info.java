/** The files of an instance's directories, which programs on both sides of the tenant's boundary write and read. */
@NullMarked
package io.carlos.model.files;

import org.jspecify.annotations.NullMarked;
