/**
 * A browser page that shows a run in progress.
 *
 * <p>In: a run's reports to its {@link io.counterpart.lab.run.RunListener} and its {@link
 * io.counterpart.lab.setup.Progress}. Out: one page and a stream of events, to readers on the same
 * machine. Must not be here: anything that a reader could change, computation while nobody reads,
 * figures that the result lacks.
 */
@NullMarked
package io.counterpart.lab.live;

import org.jspecify.annotations.NullMarked;
