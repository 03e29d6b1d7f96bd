package io.counterpart.cassandra.writer;

import com.codahale.metrics.Counter;
import io.counterpart.cassandra.format.CopyFormat;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.core.ring.Arc;
import java.util.Collection;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * The cuts of a rewrite's output, and the counters of its bytes.
 *
 * @param ring the ring whose range groups no output crosses
 * @param primary size, counter and format of outputs with primary copies
 * @param redundant those of all other outputs
 */
public record Alignment(RingSnapshot ring, Side primary, Side redundant) {

  /**
   * One kind of copies.
   *
   * @param sstableBytes size on disk at which an output is closed
   * @param writtenBytes counts outputs
   * @param format of outputs
   */
  public record Side(long sstableBytes, Counter writtenBytes, CopyFormat format) {}

  Side side(Arc arc) {
    return arc.isPrimary() ? primary : redundant;
  }

  /** Counts outputs, each of one range group. */
  void count(Collection<SSTableReader> outputs) {
    for (SSTableReader output : outputs) {
      side(ring.view().arc(output.getFirst().getToken())).writtenBytes().inc(output.onDiskLength());
    }
  }
}
