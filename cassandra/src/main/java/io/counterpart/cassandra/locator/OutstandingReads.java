package io.counterpart.cassandra.locator;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.jspecify.annotations.Nullable;

/**
 * Reads that left for other nodes and wait for an answer, by message id and endpoint: the requests
 * of one read share an id. At most {@value #MOST} are followed, and lost ones expire, so memory is
 * bounded whatever the network does. Thread-safe. Times are monotonic nanoseconds.
 */
final class OutstandingReads {
  static final int MOST = 65_536;

  private final ConcurrentHashMap<Key, Sent> reads = new ConcurrentHashMap<>();

  private record Key(long id, InetAddressAndPort endpoint) {}

  /** A read on its way. */
  record Sent(ReadKind kind, InetAddressAndPort endpoint, long atNanos, long expiresNanos) {}

  /** Follows a read; false where too many are followed already. */
  boolean add(long id, Sent sent) {
    if (reads.mappingCount() >= MOST) {
      return false;
    }
    return reads.putIfAbsent(new Key(id, sent.endpoint()), sent) == null;
  }

  /** The read that this answer ends; null where it was not followed or has expired. */
  @Nullable Sent answered(long id, InetAddressAndPort endpoint) {
    return reads.remove(new Key(id, endpoint));
  }

  /** Takes out the reads whose time-out has passed. */
  List<Sent> expired(long now) {
    return reads.entrySet().stream()
        .filter(each -> now - each.getValue().expiresNanos() >= 0)
        .filter(each -> reads.remove(each.getKey(), each.getValue()))
        .map(Map.Entry::getValue)
        .toList();
  }

  int size() {
    return reads.size();
  }
}
