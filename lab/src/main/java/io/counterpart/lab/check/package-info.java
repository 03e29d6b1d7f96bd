/**
 * Judges what a cluster returns against what the client was promised.
 *
 * <p>In: the ledger of acknowledged versions and the values read. Out: how many are lost, how many
 * are wrong, with examples. Must not be here: how load is made, what is measured.
 */
@NullMarked
package io.counterpart.lab.check;

import org.jspecify.annotations.NullMarked;
