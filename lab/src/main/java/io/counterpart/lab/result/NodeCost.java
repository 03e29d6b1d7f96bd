package io.counterpart.lab.result;

import java.time.Duration;
import java.util.Map;

/**
 * Cost of a block, summed over all nodes (over the servers, in experiments of the memory tier);
 * includes background work of other tables meanwhile, except where a table is named.
 *
 * @param cpuSeconds processor time
 * @param diskReadBytes bytes read from the disk, the page cache's hits left out; {@link
 *     #NOT_MEASURED} where the servers' processes cannot be looked at
 * @param diskWrittenBytes bytes that the servers' disks have taken, from whoever wrote them; {@link
 *     #NOT_MEASURED} likewise, or where a disk has no counter
 * @param bytesFlushed of the block's table
 * @param bytesCompacted of the block's table
 * @param sstablesPerRead mean over the block's reads of one row; 0 without such reads
 * @param gcSeconds time in garbage collections
 * @param bytesByRole bytes that a decoupled table wrote: flushedPrimary, flushedRedundant,
 *     primaryBatch, split, merged; empty for a stock table
 * @param keyCacheHitRatio of all tables' lookups in the key cache, 0 to 1; 0 without lookups
 */
public record NodeCost(
    double cpuSeconds,
    long diskReadBytes,
    long diskWrittenBytes,
    long bytesFlushed,
    long bytesCompacted,
    double sstablesPerRead,
    double gcSeconds,
    Map<String, Long> bytesByRole,
    double keyCacheHitRatio) {
  /** In place of a number that nobody knows; 0 would say that there was nothing. */
  public static final long NOT_MEASURED = -1;

  private static final double NANOS = 1e9;

  /** Reads published files, which leave out what is empty. */
  public NodeCost {
    bytesByRole = bytesByRole == null ? Map.of() : bytesByRole;
  }

  /** A cost of processor time alone. */
  public static NodeCost ofCpu(Duration cpu) {
    return new NodeCost(cpu.toNanos() / NANOS, NOT_MEASURED, NOT_MEASURED, 0, 0, 0, 0, Map.of(), 0);
  }

  /** Whether the bytes read from disks are a number. */
  public boolean hasDiskReads() {
    return diskReadBytes != NOT_MEASURED;
  }

  /** Whether the bytes written to disks are a number. */
  public boolean hasDiskWrites() {
    return diskWrittenBytes != NOT_MEASURED;
  }
}
