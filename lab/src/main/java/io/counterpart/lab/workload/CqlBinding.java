package io.counterpart.lab.workload;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Vector;
import java.util.function.BiConsumer;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * YCSB database over CQL: takes keys and operations from the core workload, and values from {@link
 * ValueCodec} (YCSB's own values do not change from one version to the next, so a lost update would
 * go unseen).
 *
 * <p>Operations are sent, not awaited: OK means accepted into the {@link Window}, which counts the
 * answers. Used by one thread.
 */
final class CqlBinding extends DB {
  private final PairTable table;
  private final Window window;
  private final ValueCodec codec;
  private final VersionLedger ledger;
  private final Clocks clocks;
  private final ConsistencyLevel level;
  private final BiConsumer<Integer, Optional<ByteBuffer>> onRead;

  /** Microsecond timestamps that grow strictly, so the newest issued version wins. One thread. */
  static final class Clocks {
    private long last;

    long nextMicros() {
      last = Math.max(last + 1, System.currentTimeMillis() * 1000);
      return last;
    }
  }

  CqlBinding(
      PairClient client,
      Window window,
      ConsistencyLevel level,
      BiConsumer<Integer, Optional<ByteBuffer>> onRead) {
    this.table = client.table();
    this.window = window;
    this.codec = client.codec();
    this.ledger = client.ledger();
    this.clocks = client.clocks();
    this.level = level;
    this.onRead = onRead;
  }

  @Override
  public Status insert(String ignored, String name, Map<String, ByteIterator> values) {
    int key = SeededWorkload.keyNumber(name);
    int version = ledger.issue(key);
    ByteBuffer value = codec.encode(key, version);
    long timestamp = clocks.nextMicros();
    window.submit(
        () -> table.write(key, value, timestamp, level),
        answer -> ledger.acknowledge(key, version));
    return Status.OK;
  }

  @Override
  public Status update(String ignored, String name, Map<String, ByteIterator> values) {
    return insert(ignored, name, values);
  }

  @Override
  public Status read(
      String ignored, String name, Set<String> fields, Map<String, ByteIterator> result) {
    int key = SeededWorkload.keyNumber(name);
    window.submit(() -> table.read(key, level), value -> onRead.accept(key, value));
    return Status.OK;
  }

  @Override
  public Status scan(
      String ignored,
      String name,
      int count,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return Status.NOT_IMPLEMENTED;
  }

  @Override
  public Status delete(String ignored, String name) {
    return Status.NOT_IMPLEMENTED;
  }
}
