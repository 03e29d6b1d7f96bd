package io.counterpart.lab.measure;

import java.time.Duration;

/**
 * A reading of one table's counters, summed over the nodes.
 *
 * @param bytesFlushed bytes that flushes wrote
 * @param bytesCompacted bytes that compactions (splits and merges included) wrote
 * @param cpu processor time of the server processes, all tables together
 */
public record TableCost(long bytesFlushed, long bytesCompacted, Duration cpu) {
  /** The growth since an earlier reading. */
  public TableCost since(TableCost earlier) {
    return new TableCost(
        bytesFlushed - earlier.bytesFlushed,
        bytesCompacted - earlier.bytesCompacted,
        cpu.minus(earlier.cpu));
  }
}
