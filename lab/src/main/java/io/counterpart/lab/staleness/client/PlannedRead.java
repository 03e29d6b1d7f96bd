package io.counterpart.lab.staleness.client;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.metadata.Node;

/**
 * A read that follows a write.
 *
 * @param reads what it is counted with
 * @param coordinator that it is sent to
 * @param gapNanos from the write's answer to its start, 0 and above
 * @param asks whether the node is to tell the level that it used
 */
public record PlannedRead(
    CellReads reads, Node coordinator, ConsistencyLevel level, long gapNanos, boolean asks) {}
