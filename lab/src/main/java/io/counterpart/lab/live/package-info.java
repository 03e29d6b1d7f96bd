/**
 * A page in the browser that shows a run while it runs.
 *
 * <p>In: what a run tells its {@link io.counterpart.lab.run.RunListener} and its {@link
 * io.counterpart.lab.setup.Progress}. Out: one page and a stream of events, to readers on the same
 * machine. Must not be here: anything that a reader could change, anything computed while nobody
 * reads, figures that the result has not.
 */
@NullMarked
package io.counterpart.lab.live;

import org.jspecify.annotations.NullMarked;
