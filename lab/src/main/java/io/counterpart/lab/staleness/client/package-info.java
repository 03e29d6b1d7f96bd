/**
 * A client of experiments on stale reads: writes with a read after each, through named
 * coordinators, on one clock. In: keys, levels, pace. Out: what was written and read, and when.
 * Must not be here: predictions, figures.
 */
@NullMarked
package io.counterpart.lab.staleness.client;

import org.jspecify.annotations.NullMarked;
