package io.counterpart.lab.workload;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.token.TokenRange;
import io.counterpart.lab.workload.SeededWorkload.Operation;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;

/**
 * The client of one table: inserts, Zipfian updates and Zipfian reads, phase by phase, through
 * YCSB's core workload.
 *
 * <p>The same spec gives the same operations in the same order. One thread drives it.
 */
public final class PairClient {
  private final WorkloadSpec spec;
  private final CqlSession session;
  private final PairTable table;
  private final ValueCodec codec;
  private final VersionLedger ledger;
  private final CqlBinding.Clocks clocks = new CqlBinding.Clocks();
  private final SeededWorkload writes;

  /** A client with an empty ledger; the table must exist. */
  public PairClient(CqlSession session, TableRef table, WorkloadSpec spec) {
    this.spec = spec;
    this.session = session;
    this.table = new PairTable(session, table);
    codec = new ValueCodec(spec.seed(), spec.valueBytes());
    ledger = new VersionLedger(spec.rows());
    writes = SeededWorkload.create(spec, spec.rows(), Operation.UPDATE, spec.seed());
  }

  /** Inserts the next {@code count} keys in key order (which is random token order). */
  public PhaseOutcome insert(int count, LongConsumer progress) {
    try (Window window = new Window(spec.inFlight(), spec.operationsPerSecond(), progress)) {
      CqlBinding binding =
          new CqlBinding(this, window, spec.writeConsistency(), (key, value) -> {});
      for (int i = 0; i < count; i++) {
        writes.doInsert(binding, null);
      }
      return window.finish();
    }
  }

  /** Overwrites whole pairs, Zipfian over all rows. */
  public PhaseOutcome update(int count, LongConsumer progress) {
    try (Window window = new Window(spec.inFlight(), spec.operationsPerSecond(), progress)) {
      CqlBinding binding =
          new CqlBinding(this, window, spec.writeConsistency(), (key, value) -> {});
      for (int i = 0; i < count; i++) {
        writes.doTransaction(binding, null);
      }
      return window.finish();
    }
  }

  /**
   * Reads pairs, Zipfian over the first {@code keys} keys; the same keys in the same order for the
   * same seed.
   *
   * @param onRead sees every answer, on driver threads
   */
  public PhaseOutcome read(
      int count,
      int keys,
      ConsistencyLevel level,
      BiConsumer<Integer, Optional<ByteBuffer>> onRead) {
    SeededWorkload reads = SeededWorkload.create(spec, keys, Operation.READ, ~spec.seed());
    try (Window window = new Window(spec.inFlight(), 0, done -> {})) {
      CqlBinding binding = new CqlBinding(this, window, level, onRead);
      for (int i = 0; i < count; i++) {
        reads.doTransaction(binding, null);
      }
      return window.finish();
    }
  }

  /**
   * The whole ring in ranges that do not wrap around.
   *
   * @throws IllegalStateException if the driver does not know the ring
   */
  public List<TokenRange> ring() {
    return session
        .getMetadata()
        .getTokenMap()
        .orElseThrow(() -> new IllegalStateException("the driver has no token map"))
        .getTokenRanges()
        .stream()
        .flatMap(range -> range.unwrap().stream())
        .toList();
  }

  /** Issued and acknowledged versions so far. */
  public VersionLedger ledger() {
    return ledger;
  }

  /** The values' codec. */
  public ValueCodec codec() {
    return codec;
  }

  /** The prepared table. */
  public PairTable table() {
    return table;
  }

  CqlBinding.Clocks clocks() {
    return clocks;
  }
}
