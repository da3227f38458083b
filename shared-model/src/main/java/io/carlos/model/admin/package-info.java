/** The admin API of a box's agent, as its commands and whoever else asks it see it: paths, parameters and answers. */
@NullMarked
package io.carlos.model.admin;

import org.jspecify.annotations.NullMarked;
