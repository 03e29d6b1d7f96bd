package io.counterpart.lab.workload;

import com.datastax.oss.driver.api.core.ConsistencyLevel;

/**
 * Consistency levels of a phase.
 *
 * @param write of updates and inserts (the paper's WCL)
 * @param read of reads and scans (RCL)
 */
public record ConsistencyLevels(ConsistencyLevel write, ConsistencyLevel read) {}
