package io.counterpart.lab.bench;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.lab.check.RowCheck;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.measure.Drain;
import io.counterpart.lab.measure.Footprint;
import io.counterpart.lab.measure.MemtableSampler;
import io.counterpart.lab.measure.SstablesPerRead;
import io.counterpart.lab.measure.TableCost;
import io.counterpart.lab.measure.TableProbe;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.workload.ConsistencyLevels;
import io.counterpart.lab.workload.OperationMix;
import io.counterpart.lab.workload.PairClient;
import io.counterpart.lab.workload.Phase;
import io.counterpart.lab.workload.PhaseOutcome;
import io.counterpart.lab.workload.ReadRouting;
import io.counterpart.lab.workload.TableRef;
import io.counterpart.lab.workload.WorkloadSpec;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/**
 * Loads one arm's table and measures it: inserts, a short read burst half way, updates, drain,
 * reads.
 *
 * <p>The arm's client stays usable afterwards, for the checks.
 */
final class ArmRun {
  private static final ConsistencyLevels READ_LEVELS =
      new ConsistencyLevels(DefaultConsistencyLevel.QUORUM, DefaultConsistencyLevel.ONE);
  private static final Duration DRAIN_LIMIT = Duration.ofMinutes(10);

  private final Arm arm;
  private final TableRef table;
  private final WorkloadSpec spec;
  private final int reads;
  private final ConnectedNodes nodes;
  private final PairClient client;
  private final LongAdder wrongReads = new LongAdder();

  /** A run on a table that exists and is empty. */
  ArmRun(Arm arm, TableRef table, LoadPlan plan, CqlSession session, ConnectedNodes nodes) {
    this.arm = arm;
    this.table = table;
    this.spec = plan.workload();
    this.reads = plan.reads();
    this.nodes = nodes;
    client = new PairClient(session, table, spec);
  }

  Arm arm() {
    return arm;
  }

  TableRef table() {
    return table;
  }

  PairClient client() {
    return client;
  }

  /** Reads so far whose bytes match no version ever sent. */
  long wrongReads() {
    return wrongReads.sum();
  }

  LoadMeasurement load(Progress progress) throws TimeoutException {
    TableProbe probe = new TableProbe(nodes, table);
    TableCost before = probe.counters();
    LongConsumer step = progress.step("load " + arm.name(), (long) spec.rows() + spec.updates());
    try (MemtableSampler memtables = new MemtableSampler(nodes)) {
      // half way by operations, but with at least two keys to read
      int half = Math.max(2, Math.min(spec.rows(), (spec.rows() + spec.updates()) / 2));
      PhaseOutcome first = client.insert(half, step);
      // else the share of reads that a half-full memtable answers decides, which is chance
      probe.flush();
      double readMidLoad = sstablesPerRead(probe);
      PhaseOutcome second = client.insert(spec.rows() - half, done -> step.accept(half + done));
      PhaseOutcome third = client.update(spec.updates(), done -> step.accept(spec.rows() + done));
      double memtableBytes = memtables.meanBytes();
      progress.step("finish compactions of " + arm.name(), 0);
      Duration drain = new Drain(probe, DRAIN_LIMIT).flushAndAwait();
      TableCost written = probe.counters().since(before);
      Footprint footprint = probe.footprint();
      progress.step("read " + arm.name(), 0);
      double readDrained = sstablesPerRead(probe);
      return new LoadMeasurement(
          written,
          new LoadMeasurement.Writes(first, second, third),
          drain,
          footprint,
          memtableBytes,
          readMidLoad,
          readDrained);
    }
  }

  /** Writes and reads as {@link #load} does, but measures nothing and leaves compaction behind. */
  void loadUndrained(LongConsumer step) {
    client.insert(spec.rows(), step);
    client.update(spec.updates(), done -> step.accept(spec.rows() + done));
    TableProbe probe = new TableProbe(nodes, table);
    probe.flush();
    sstablesPerRead(probe);
  }

  private double sstablesPerRead(TableProbe probe) {
    RowCheck check = new RowCheck(client.codec(), client.ledger());
    SstablesPerRead before = probe.sstablesPerRead();
    PhaseOutcome outcome =
        client.run(
            new Phase(
                OperationMix.READS, reads, READ_LEVELS, ReadRouting.ANY_REPLICA, 0, ~spec.seed()),
            (key, value) -> {
              // older than acknowledged is legal at ONE, made-up bytes never are
              if (check.judge(key, value) == RowCheck.Verdict.WRONG) {
                wrongReads.increment();
              }
            },
            done -> {});
    if (outcome.operations() == 0) {
      throw new IllegalStateException(
          "none of %d reads of %s was answered: %s"
              .formatted(reads, table.qualified(), outcome.firstError()));
    }
    return probe.sstablesPerRead().since(before).mean();
  }
}
