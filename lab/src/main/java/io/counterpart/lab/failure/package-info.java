/**
 * Failures of nodes, on purpose: takes nodes of a running lab away, brings them back with or
 * without their data, and measures the recovery of their tables.
 *
 * <p>In: connected nodes and a table. Out: time and cost of a recovery. Must not be here: when a
 * node fails and which methods are compared, which are an experiment's steps.
 */
@NullMarked
package io.counterpart.lab.failure;

import org.jspecify.annotations.NullMarked;
