/** Whether processes of a unit live, as the kernel tells. */
@NullMarked
package io.carlos.control.cgroup;

import org.jspecify.annotations.NullMarked;
