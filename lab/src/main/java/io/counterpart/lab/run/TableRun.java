package io.counterpart.lab.run;

import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.check.RowCheck;
import io.counterpart.lab.measure.Drain;
import io.counterpart.lab.measure.LoadSampler;
import io.counterpart.lab.measure.NodeReading;
import io.counterpart.lab.measure.TableProbe;
import io.counterpart.lab.profile.Profiler;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.result.Sample;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.workload.PairClient;
import io.counterpart.lab.workload.Phase;
import io.counterpart.lab.workload.PhaseOutcome;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One table of an experiment with its client; runs blocks on it and measures them. */
final class TableRun {
  private static final Duration LEAST_DRAIN_LIMIT = Duration.ofMinutes(20);
  // below what the slowest arm compacts with the throughput that Cassandra allows by default
  private static final int ROWS_DRAINED_PER_SECOND = 1000;

  private final LabTable table;
  private final PairClient client;
  private final TableProbe probe;
  private final long runStartNanos;
  private final Consumer<Sample> onSample;
  private final LongAdder wrong = new LongAdder();
  private Profiler profiler = Profiler.NONE;
  private CheckOutcome checked = CheckOutcome.NONE;
  private @Nullable Runnable beforeFlush;

  TableRun(
      LabTable table,
      PairClient client,
      TableProbe probe,
      long runStartNanos,
      Consumer<Sample> onSample) {
    this.table = table;
    this.client = client;
    this.probe = probe;
    this.runStartNanos = runStartNanos;
    this.onSample = onSample;
  }

  LabTable table() {
    return table;
  }

  PairClient client() {
    return client;
  }

  TableProbe probe() {
    return probe;
  }

  /** Values read so far whose bytes match no version ever sent. */
  long wrong() {
    return wrong.sum();
  }

  /** Takes the servers' time apart from the next block on. */
  void profileBy(Profiler chosen) {
    profiler = chosen;
  }

  /**
   * From now on blocks that write end with a flush.
   *
   * @param before runs before each
   */
  void flushAfterWrites(Runnable before) {
    beforeFlush = before;
  }

  /** What was judged before the end. */
  CheckOutcome checked() {
    return checked;
  }

  /** Adds to what was judged before the end. */
  void add(CheckOutcome outcome) {
    checked = checked.plus(outcome);
  }

  BlockResult insert(String phase, int repeat, int rows, LongConsumer progress)
      throws TimeoutException {
    return measure(table.name(), phase, repeat, true, () -> client.insert(rows, progress));
  }

  /**
   * One round of writes to their end: inserts, updates, and every compaction that they leave due.
   *
   * @param rows inserted behind those that are there
   */
  BlockResult round(String phase, int repeat, int rows, int updates, LongConsumer progress)
      throws TimeoutException {
    NodeReading before = NodeReading.of(probe);
    PhaseOutcome inserted;
    PhaseOutcome updated;
    try (LoadSampler sampler =
        new LoadSampler(table.name(), phase, probe, client, runStartNanos, onSample)) {
      inserted = client.insert(rows, progress);
      updated = client.update(updates, done -> progress.accept(rows + done));
    }
    if (rows > 0 || updates > 0) {
      PhaseOutcome.requireAnswer(table.name(), phase, inserted, updated);
    }
    new Drain(probe, drainLimit()).flushAndAwait();
    return new BlockResult(
            table.name(),
            phase,
            repeat,
            inserted.operations() + updated.operations(),
            inserted.failed() + updated.failed(),
            (inserted.nanos() + updated.nanos()) / 1e9,
            latencies(inserted),
            NodeReading.of(probe).since(before))
        .withCounters(
            Map.of(
                Counters.DISK_BYTES, probe.footprint().liveBytes(),
                Counters.SSTABLES, probe.footprint().sstables(),
                Counters.FILTER_BYTES, probe.filterBytes()));
  }

  BlockResult run(String armName, String name, int repeat, Phase phase, LongConsumer progress)
      throws TimeoutException {
    return run(armName, name, repeat, phase, progress, () -> false);
  }

  /**
   * @param over asked before each operation: true ends the block early
   */
  BlockResult run(
      String armName,
      String name,
      int repeat,
      Phase phase,
      LongConsumer progress,
      BooleanSupplier over)
      throws TimeoutException {
    return measure(
        armName,
        name,
        repeat,
        phase.mix().writes(),
        () -> client.run(phase, judge(), progress, over));
  }

  // older than acknowledged is legal below QUORUM, made-up bytes never are
  private BiConsumer<Integer, Optional<ByteBuffer>> judge() {
    RowCheck check = new RowCheck(client.codec(), client.ledger());
    return (key, value) -> {
      if (check.judge(key, value) == RowCheck.Verdict.WRONG) {
        wrong.increment();
      }
    };
  }

  /** Operations that count nowhere. */
  void fill(Phase reads, LongConsumer progress) {
    client.run(reads, judge(), progress, () -> false);
  }

  /** Flushes and waits for rest; a block without operations, whose cost is what was still due. */
  BlockResult drain(String phase, int repeat) throws TimeoutException {
    Profiler.Recording recording = profiler.start();
    NodeReading before = NodeReading.of(probe);
    Duration time = new Drain(probe, drainLimit()).flushAndAwait();
    return new BlockResult(
            table.name(),
            phase,
            repeat,
            0,
            0,
            time.toNanos() / 1e9,
            Map.of(),
            NodeReading.of(probe).since(before))
        .withBreakdown(recording.stop());
  }

  /** Waits until the table has nothing left to compact. */
  void settle() throws TimeoutException {
    new Drain(probe, drainLimit()).await();
  }

  /** Returns when no compaction runs any more. */
  void awaitPause() throws TimeoutException {
    new Drain(probe, drainLimit()).awaitPause();
  }

  private Duration drainLimit() {
    Duration byRows = Duration.ofSeconds(client.rows() / ROWS_DRAINED_PER_SECOND);
    return byRows.compareTo(LEAST_DRAIN_LIMIT) > 0 ? byRows : LEAST_DRAIN_LIMIT;
  }

  /**
   * Measures a block. What writes leave running belongs to their cost, and must not run beside the
   * next block: such a block ends for the servers when no flush or compaction runs any more.
   */
  private BlockResult measure(
      String armName, String phase, int repeat, boolean writes, Supplier<PhaseOutcome> load)
      throws TimeoutException {
    Profiler.Recording recording = profiler.start();
    NodeReading before = NodeReading.of(probe);
    TableProbe.LocalReads readsBefore = probe.localReads();
    PhaseOutcome outcome;
    try (LoadSampler sampler =
        new LoadSampler(armName, phase, probe, client, runStartNanos, onSample)) {
      outcome = load.get();
    }
    PhaseOutcome.requireAnswer(armName, phase, outcome);
    if (writes) {
      if (beforeFlush != null) {
        beforeFlush.run();
        probe.flush();
      }
      awaitPause();
    }
    TableProbe.LocalReads reads = probe.localReads().since(readsBefore);
    return new BlockResult(
            armName,
            phase,
            repeat,
            outcome.operations(),
            outcome.failed(),
            outcome.nanos() / 1e9,
            latencies(outcome),
            NodeReading.of(probe).since(before))
        .withCounters(
            Map.of(Counters.LOCAL_READS, reads.reads(), Counters.LOCAL_READ_MICROS, reads.micros()))
        .withBreakdown(recording.stop());
  }

  private static Map<String, LatencySummary> latencies(PhaseOutcome outcome) {
    Map<String, LatencySummary> latencies = new TreeMap<>();
    outcome
        .latencies()
        .byKind()
        .forEach(
            (kind, histogram) ->
                latencies.put(kind.name().toLowerCase(Locale.ROOT), LatencySummary.of(histogram)));
    return latencies;
  }
}
