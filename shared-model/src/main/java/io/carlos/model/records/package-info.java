/** Instance records: what operators want, who owns it, and the run that is open on it; every change is one compare-and-swap. */
@NullMarked
package io.carlos.model.records;

import org.jspecify.annotations.NullMarked;
