/**
 * Two results of the same experiment side by side, as values.
 *
 * <p>In: two results. Out: the differences of their configurations, and a comparison of each phase,
 * arm and figure. Must not be here: files, printing.
 */
@NullMarked
package io.counterpart.lab.result.compare;

import org.jspecify.annotations.NullMarked;
