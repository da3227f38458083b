/** Linux calls that Java lacks: files reached beneath a directory without following links, peers, mounts. */
@NullMarked
package io.carlos.model.linux;

import org.jspecify.annotations.NullMarked;
