/**
 * Experiments: which arms run in which order on which cluster, and which figures come of it.
 *
 * <p>In: a scale, a seed, where the server's jars are. Out: a result record. Must not be here:
 * printing, option parsing.
 */
@NullMarked
package io.counterpart.lab.experiment;

import org.jspecify.annotations.NullMarked;
