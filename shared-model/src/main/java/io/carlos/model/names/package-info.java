/** Names of hosts, instances, accounts and apps, and of what is made of them on a box: units, slices and paths. */
@NullMarked
package io.carlos.model.names;

import org.jspecify.annotations.NullMarked;
