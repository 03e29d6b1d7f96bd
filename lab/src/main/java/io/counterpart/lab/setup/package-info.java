/**
 * What experiments have in common before they begin: the cluster, the tables and their compaction,
 * the description of both for the result, and where progress is told.
 *
 * <p>Must not be here: what is done with a table, what is measured.
 */
@NullMarked
package io.counterpart.lab.setup;

import org.jspecify.annotations.NullMarked;
