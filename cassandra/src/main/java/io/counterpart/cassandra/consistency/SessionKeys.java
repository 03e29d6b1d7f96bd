package io.counterpart.cassandra.consistency;

import io.counterpart.core.staleness.estimate.RecentWrites;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.utils.MurmurHash;

/**
 * The partitions that sessions wrote lately through this coordinator. A driver's session spreads
 * its requests over connections, so everything from one client address counts as one session.
 * Writes through another coordinator are unknown here. Thread-safe; 8.4 MB.
 */
final class SessionKeys {
  private static final int SLOTS = 1 << 18;

  /** Beyond it a write that a replica still lacks is no longer expected to arrive. */
  private static final Duration HORIZON = Duration.ofSeconds(10);

  private final RecentWrites writes = new RecentWrites(SLOTS, HORIZON);
  private final LongSupplier nanoClock;

  SessionKeys(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * A partition that a session reads or writes, by hashes. Two sessions of one hash count as one,
   * so that more reads keep their levels.
   */
  record Access(long key, long session) {
    static Access of(TableId table, ByteBuffer key, ClientState client) {
      long seed =
          table.asUUID().getMostSignificantBits() ^ table.asUUID().getLeastSignificantBits();
      long[] hash = new long[2];
      MurmurHash.hash3_x64_128(key, key.position(), key.remaining(), seed, hash);
      InetSocketAddress address = client.getRemoteAddress();
      return new Access(hash[0], address == null ? 0 : address.getAddress().hashCode());
    }
  }

  void written(Access access) {
    writes.written(access.key(), access.session(), nanoClock.getAsLong());
  }

  boolean mayHaveWritten(Access access) {
    return writes.mayHaveWritten(access.key(), access.session(), nanoClock.getAsLong());
  }

  /** The time since anyone wrote the partition. */
  OptionalLong sinceWrittenNanos(Access access) {
    return writes.sinceWrittenNanos(access.key(), nanoClock.getAsLong());
  }
}
