package io.counterpart.lab.workload;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.CompletionStage;
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
  private final ConsistencyLevels levels;
  private final ReadRouting routing;
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
      ConsistencyLevels levels,
      ReadRouting routing,
      BiConsumer<Integer, Optional<ByteBuffer>> onRead) {
    this.table = client.table();
    this.window = window;
    this.codec = client.codec();
    this.ledger = client.ledger();
    this.clocks = client.clocks();
    this.levels = levels;
    this.routing = routing;
    this.onRead = onRead;
  }

  @Override
  public Status insert(String ignored, String name, Map<String, ByteIterator> values) {
    return write(OperationKind.INSERT, KeyNames.number(name));
  }

  @Override
  public Status update(String ignored, String name, Map<String, ByteIterator> values) {
    return write(OperationKind.UPDATE, KeyNames.number(name));
  }

  private Status write(OperationKind kind, int key) {
    Write write = nextWrite(key);
    window.submit(kind, () -> send(write), answer -> ledger.acknowledge(key, write.version()));
    return Status.OK;
  }

  /** Overwrites a row once it has been read. */
  void readModifyWrite(String name) {
    int key = KeyNames.number(name);
    Write write = nextWrite(key);
    window.submit(
        OperationKind.READ_MODIFY_WRITE,
        () ->
            table
                .read(key, levels.read(), routing)
                .thenCompose(
                    value -> {
                      onRead.accept(key, value);
                      return send(write);
                    }),
        answer -> ledger.acknowledge(key, write.version()));
  }

  /** A version of a row on its way. */
  private record Write(int key, int version, long timestampMicros) {}

  private Write nextWrite(int key) {
    return new Write(key, ledger.issue(key), clocks.nextMicros());
  }

  private CompletionStage<AsyncResultSet> send(Write write) {
    ByteBuffer value = codec.encode(write.key(), write.version());
    return table.write(write.key(), value, write.timestampMicros(), levels.write());
  }

  @Override
  public Status read(
      String ignored, String name, Set<String> fields, Map<String, ByteIterator> result) {
    int key = KeyNames.number(name);
    window.submit(
        OperationKind.READ,
        () -> table.read(key, levels.read(), routing),
        value -> onRead.accept(key, value));
    return Status.OK;
  }

  @Override
  public Status scan(
      String ignored,
      String name,
      int count,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    int from = KeyNames.number(name);
    window.submit(
        OperationKind.SCAN,
        () ->
            table.scanFrom(
                from,
                count,
                levels.read(),
                routing,
                (key, value) -> onRead.accept(key, Optional.of(value))),
        done -> {});
    return Status.OK;
  }

  @Override
  public Status delete(String ignored, String name) {
    return Status.NOT_IMPLEMENTED;
  }
}
