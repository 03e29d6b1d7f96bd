/**
 * Takes nodes of a running lab away, brings them back with or without their data, and restores
 * their tables, measured.
 *
 * <p>In: connected nodes and a table. Out: what a recovery took and cost. Must not be here: when a
 * node fails and which ways are compared, which are an experiment's steps.
 */
@NullMarked
package io.counterpart.lab.failure;

import org.jspecify.annotations.NullMarked;
