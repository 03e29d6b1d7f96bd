/**
 * Two results of the same experiment beside each other, as values.
 *
 * <p>In: two results. Out: what differs in their configuration, and a comparison for each phase and
 * arm and each figure. Must not be here: files, printing.
 */
@NullMarked
package io.counterpart.lab.result.compare;

import org.jspecify.annotations.NullMarked;
