/**
 * Judges the values that a cluster returns against the writes that it acknowledged.
 *
 * <p>In: the ledger of acknowledged versions and the values read. Out: how many are lost, how many
 * are wrong, with examples. Must not be here: load, measurement.
 */
@NullMarked
package io.counterpart.lab.check;

import org.jspecify.annotations.NullMarked;
