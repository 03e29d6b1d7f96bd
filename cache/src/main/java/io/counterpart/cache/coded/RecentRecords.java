package io.counterpart.cache.coded;

import io.counterpart.cache.protocol.Key;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A cache of recently written objects. A change of an object needs its old bytes for parity; a hit
 * saves the read from the server. The least recently written objects are dropped first. When a
 * server fails, the whole cache is dropped, because a change must first find out whether the object
 * can still be decoded. Clients' reads are not served from here. Belongs to the shard's event loop.
 */
final class RecentRecords {
  /** Approximate bytes of an entry beside the record. */
  private static final int OVERHEAD_BYTES = 200;

  private static final int FIRST_CAPACITY = 1024;
  private static final float LOAD_FACTOR = 0.75f;

  private final long maxBytes;
  private final LongSupplier losses;
  private final Map<Key, Version> versions = new LinkedHashMap<>(FIRST_CAPACITY, LOAD_FACTOR, true);
  private long bytes;
  private long knownLosses;

  /**
   * @param maxBytes of records and their overhead; 0 to keep none
   * @param losses grows when a server is lost
   */
  RecentRecords(long maxBytes, LongSupplier losses) {
    this.maxBytes = maxBytes;
    this.losses = losses;
  }

  /** The object, if it is cached and still in that place; else null. */
  @Nullable Version get(Key key, Place place) {
    forgetIfLost();
    Version known = versions.get(key);
    return known != null && known.place().equals(place) ? known : null;
  }

  /** Caches the present state of an object. */
  void put(Key key, Version version) {
    forgetIfLost();
    Version before = versions.put(key, version);
    bytes += cost(version) - (before == null ? 0 : cost(before));
    Iterator<Version> oldest = versions.values().iterator();
    while (bytes > maxBytes) {
      bytes -= cost(oldest.next());
      oldest.remove();
    }
  }

  /** Removes an object that is deleted, or whose state is unknown. */
  void remove(Key key) {
    Version removed = versions.remove(key);
    bytes -= removed == null ? 0 : cost(removed);
  }

  private void forgetIfLost() {
    long now = losses.getAsLong();
    if (now != knownLosses) {
      knownLosses = now;
      clear();
    }
  }

  void clear() {
    versions.clear();
    bytes = 0;
  }

  private static int cost(Version version) {
    return OVERHEAD_BYTES + version.bytes().length;
  }
}
