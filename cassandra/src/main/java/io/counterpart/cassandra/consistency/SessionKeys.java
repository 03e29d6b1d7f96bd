package io.counterpart.cassandra.consistency;

import com.google.common.hash.Hashing;
import io.counterpart.core.staleness.estimate.RecentWrites;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.ClientState;

/**
 * The partitions that sessions wrote lately through this coordinator. A driver's session spreads
 * its requests over connections, so everything from one client address counts as one session.
 * Writes through another coordinator are unknown here. Thread-safe; 9 MB.
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

  void written(TableId table, ByteBuffer key, ClientState client) {
    writes.written(hash(table, key), session(client), nanoClock.getAsLong());
  }

  boolean mayHaveWritten(TableId table, ByteBuffer key, ClientState client) {
    return writes.mayHaveWritten(hash(table, key), session(client), nanoClock.getAsLong());
  }

  /** The time since anyone wrote the partition. */
  OptionalLong sinceWrittenNanos(TableId table, ByteBuffer key) {
    return writes.sinceWrittenNanos(hash(table, key), nanoClock.getAsLong());
  }

  private static long session(ClientState client) {
    InetSocketAddress address = client.getRemoteAddress();
    return address == null
        ? 0
        : Hashing.murmur3_128().hashBytes(address.getAddress().getAddress()).asLong();
  }

  private static long hash(TableId table, ByteBuffer key) {
    return Hashing.murmur3_128()
        .newHasher()
        .putLong(table.asUUID().getMostSignificantBits())
        .putLong(table.asUUID().getLeastSignificantBits())
        .putBytes(key.duplicate())
        .hash()
        .asLong();
  }
}
