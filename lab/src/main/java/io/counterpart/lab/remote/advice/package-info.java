/**
 * Advice on storage engines for a running cluster: rates, sizes and engines of its tables over CQL.
 *
 * <p>In: contact points, names of tables, a window of time. Out: what {@code core.engine.advice}
 * says to them, and tables changed on request. Not here: the rules.
 */
@NullMarked
package io.counterpart.lab.remote.advice;

import org.jspecify.annotations.NullMarked;
