/** The pass over the records: which instances are this box's, and which runs the worker should look at. */
@NullMarked
package io.carlos.agent.reconcile;

import org.jspecify.annotations.NullMarked;
