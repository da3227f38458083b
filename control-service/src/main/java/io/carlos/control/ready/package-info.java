/** Whether this box isolates instances, as the probe last found. */
@NullMarked
package io.carlos.control.ready;

import org.jspecify.annotations.NullMarked;
