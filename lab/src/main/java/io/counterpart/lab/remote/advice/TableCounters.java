package io.counterpart.lab.remote.advice;

/**
 * What a node has counted of a table, since its start or between two moments.
 *
 * @param reads of one partition, on this node
 * @param writes on this node
 * @param scans of a token range, on this node
 * @param clientReads of one partition, that this node coordinated
 * @param readMicros time of all {@code reads}, 0 where the node does not tell it
 */
record TableCounters(long reads, long writes, long scans, long clientReads, long readMicros) {
  static final TableCounters NONE = new TableCounters(0, 0, 0, 0, 0);

  /** What came after an earlier reading; all of it if the node started anew meanwhile. */
  TableCounters since(TableCounters earlier) {
    boolean anew =
        reads < earlier.reads
            || writes < earlier.writes
            || scans < earlier.scans
            || clientReads < earlier.clientReads;
    return anew
        ? this
        : new TableCounters(
            reads - earlier.reads,
            writes - earlier.writes,
            scans - earlier.scans,
            clientReads - earlier.clientReads,
            // unknown if it was so at either time
            earlier.readMicros == 0 && earlier.reads > 0
                ? 0
                : Math.max(0, readMicros - earlier.readMicros));
  }

  long operations() {
    return reads + writes + scans;
  }
}
