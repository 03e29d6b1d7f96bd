/**
 * The experiments: arms, their order, the cluster, and the figures.
 *
 * <p>In: a scale, a seed, the directory of the server's jars. Out: a result record. Must not be
 * here: printing, option parsing.
 */
@NullMarked
package io.counterpart.lab.experiment;

import org.jspecify.annotations.NullMarked;
