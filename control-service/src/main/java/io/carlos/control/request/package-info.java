/** What can be asked for: paths, their parameters and the verb behind each. */
@NullMarked
package io.carlos.control.request;

import org.jspecify.annotations.NullMarked;
