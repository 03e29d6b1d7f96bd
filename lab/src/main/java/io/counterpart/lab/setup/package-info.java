/**
 * Preparation that experiments share: the cluster, the tables and their compaction, the description
 * of both for the result, and the display of progress.
 *
 * <p>Must not be here: work on a table, measurement.
 */
@NullMarked
package io.counterpart.lab.setup;

import org.jspecify.annotations.NullMarked;
