package io.counterpart.lab.workload;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.token.TokenRange;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * The client of one table: inserts, Zipfian updates and Zipfian reads, phase by phase, through
 * YCSB's core workload.
 *
 * <p>The same spec gives the same operations in the same order. One thread drives it.
 */
public final class PairClient {
  // the driver sends a node no more than 1,024 requests at once
  private static final int MOST_OPEN = 1_000;

  private final WorkloadSpec spec;
  private final CqlSession session;
  private final PairTable table;
  private final ValueCodec codec;
  private final VersionLedger ledger;
  private final CqlBinding.Clocks clocks = new CqlBinding.Clocks();
  private final SeededWorkload writes;
  private final ConsistencyLevels writeLevels;
  private final LongAdder answered = new LongAdder();
  private int rows;

  /** A client with an empty ledger with room for the spec's rows; the table must exist. */
  public PairClient(CqlSession session, TableRef table, WorkloadSpec spec) {
    this.spec = spec;
    this.session = session;
    this.table = new PairTable(session, table, spec.keys());
    codec = new ValueCodec(spec.seed(), spec.shape().valueBytes(), spec.shape().valueKind());
    ledger = new VersionLedger(spec.rows());
    writes = SeededWorkload.create(spec, spec.rows(), OperationMix.UPDATES, spec.seed());
    writeLevels = new ConsistencyLevels(spec.writeConsistency(), spec.writeConsistency());
  }

  /** Inserts the next {@code count} keys in key order (which is random token order). */
  public PhaseOutcome insert(int count, LongConsumer progress) {
    try (Window window = window(progress)) {
      CqlBinding binding = writing(window);
      for (int i = 0; i < count; i++) {
        writes.doInsert(binding, null);
      }
      rows += count;
      return window.finish();
    }
  }

  /** Overwrites whole pairs, Zipfian over all rows. */
  public PhaseOutcome update(int count, LongConsumer progress) {
    try (Window window = window(progress)) {
      CqlBinding binding = writing(window);
      for (int i = 0; i < count; i++) {
        writes.doTransaction(binding, null);
      }
      return window.finish();
    }
  }

  /**
   * Runs a phase on the rows inserted so far; the same operations in the same order for the same
   * seed. Inserts of the mix continue behind them.
   *
   * @param onRead sees every row read, on driver threads
   * @throws IllegalArgumentException if the phase could insert more rows than the ledger has room
   *     for
   */
  public PhaseOutcome run(
      Phase phase, BiConsumer<Integer, Optional<ByteBuffer>> onRead, LongConsumer progress) {
    return run(phase, onRead, progress, () -> false);
  }

  /**
   * The same for a phase that may end early.
   *
   * @param over asked before each operation
   */
  public PhaseOutcome run(
      Phase phase,
      BiConsumer<Integer, Optional<ByteBuffer>> onRead,
      LongConsumer progress,
      BooleanSupplier over) {
    long most = rows + (phase.mix().insert() > 0 ? phase.operations() : 0L);
    if (most > ledger.keys()) {
      throw new IllegalArgumentException(
          "phase %s: may insert up to row %d, but there is room for %d rows"
              .formatted(phase.mix().name(), most, ledger.keys()));
    }
    SeededWorkload workload = SeededWorkload.create(spec, rows, phase.mix(), phase.seed());
    // an open loop shall not wait for answers
    int inFlight =
        Math.max(spec.shape().threads(), Math.min(phase.operationsPerSecond(), MOST_OPEN));
    try (Window window = new Window(inFlight, phase.operationsPerSecond(), progress, answered)) {
      CqlBinding binding = new CqlBinding(this, window, phase.levels(), phase.routing(), onRead);
      for (int i = 0; i < phase.operations() && !over.getAsBoolean(); i++) {
        workload.doTransaction(binding, null);
      }
      PhaseOutcome outcome = window.finish();
      rows = workload.rows();
      return outcome;
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

  /** Rows inserted so far. */
  public int rows() {
    return rows;
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

  /** Operations of all phases answered well so far; may be asked on any thread. */
  public long answered() {
    return answered.sum();
  }

  private CqlBinding writing(Window window) {
    return new CqlBinding(this, window, writeLevels, ReadRouting.ANY_REPLICA, (key, value) -> {});
  }

  private Window window(LongConsumer progress) {
    return new Window(spec.shape().threads(), 0, progress, answered);
  }

  CqlBinding.Clocks clocks() {
    return clocks;
  }
}
