package io.counterpart.cassandra.report;

/**
 * One owned range group.
 *
 * @param group its id in the current ring view
 * @param replicaIndex 0 where this node leads it
 * @param arcs how many arcs of the ring it has
 * @param startToken exclusive start of its first arc
 * @param endToken inclusive end of its first arc
 */
public record RangeGroupReport(
    int group, int replicaIndex, int arcs, String startToken, String endToken) {}
