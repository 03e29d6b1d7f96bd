package io.counterpart.lab.staleness;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.counterpart.lab.check.StalenessReport;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.lab.staleness.Predictions.Condition;
import io.counterpart.lab.staleness.Predictions.Prediction;
import io.counterpart.lab.staleness.client.CellReads;
import io.counterpart.lab.staleness.client.Lane;
import io.counterpart.lab.staleness.client.PairLoad;
import io.counterpart.lab.staleness.client.PairOutcome;
import io.counterpart.lab.staleness.client.PairPace;
import io.counterpart.lab.staleness.client.PlannedRead;
import io.counterpart.lab.staleness.client.UsedLevel;
import io.counterpart.lab.staleness.client.WriteThenRead;
import io.counterpart.lab.workload.TableRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How many reads are stale, by R and W, beside the prediction of the coordinator that took the
 * writes. One block for each W; the reads of its cells take turns in it. Cells that can be stale
 * have R + W ≤ N; one more, a quorum of both, is the control that cannot.
 *
 * <p>All writes have one coordinator, a node without a copy: an own copy would never be late, and
 * so it would matter which reads ask it. Reads go through the nodes that have a copy, in turn. The
 * prediction is the mean over reads that ask any replicas. So the two are about the same reads.
 *
 * <p>Paper: CRS, Figure 5.
 *
 * @param kind of the tables
 * @param replicas N, 3 to 7
 * @param late delays of writes and of reads
 * @param pairs writes in a block, each with a read, 1 to 9,000
 */
public record StaleRateStage(StaleTable kind, int replicas, Lateness late, int pairs, PairPace pace)
    implements StalenessStage {
  private static final int MOST_PAIRS = 9_000;
  private static final int KEYS = 1_000;
  private static final int WARM_UP_DIVISOR = 4;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * Delays.
   *
   * @param meanMillis of writes from other nodes, above 0
   * @param gapsMillis from a write's answer to the read, of those that nodes predict for: 0, 1, 10,
   *     100, 1,000
   */
  public record Lateness(double meanMillis, List<Integer> gapsMillis) {
    /** Keeps the gaps. */
    public Lateness {
      gapsMillis = List.copyOf(gapsMillis);
    }
  }

  /** Checks the ranges. */
  public StaleRateStage {
    if (replicas < 3 || replicas > 7 || pairs < 1 || pairs > MOST_PAIRS) {
      throw new IllegalArgumentException(
          "%d replicas, %d pairs, legal: 3 to 7, 1 to %d".formatted(replicas, pairs, MOST_PAIRS));
    }
  }

  /** Reads of R replicas, a gap after the write. */
  record Cell(int reads, int gapMillis) {}

  @Override
  public int blocks() {
    int blocks = 0;
    for (int writes = 1; writes <= quorum(); writes++) {
      blocks += 1 + cells(writes).size();
    }
    return blocks;
  }

  private int quorum() {
    return replicas / 2 + 1;
  }

  /** The cells of one W. */
  List<Cell> cells(int writes) {
    List<Cell> cells = new ArrayList<>();
    for (int gap : late.gapsMillis()) {
      for (int reads = 1; reads <= quorum(); reads++) {
        if (reads + writes <= replicas || writes == quorum() && reads == quorum()) {
          cells.add(new Cell(reads, gap));
        }
      }
    }
    return cells;
  }

  @Override
  public void run(StageTools tools) throws InterruptedException {
    String keyspace = keyspace();
    FaultyNodes nodes = tools.nodes();
    nodes.keyspace(keyspace, replicas);
    nodes.table(warmUpTable(), kind);
    for (int writes = 1; writes <= quorum(); writes++) {
      nodes.table(table(writes), kind);
    }
    ArcKeys arc = ArcKeys.of(nodes.session(), keyspace, nodes.coordinators().get(0), KEYS);
    nodes.lateWrites(late.meanMillis());
    try {
      warmUp(tools, arc);
      for (int writes = 1; writes <= quorum(); writes++) {
        try (WriteThenRead client = new WriteThenRead(nodes.session(), table(writes))) {
          block(tools, client, arc, writes);
        }
      }
    } finally {
      nodes.lateWrites(0);
    }
  }

  /** Nobody predicts for this table: samples of the first seconds are not those of the block. */
  private TableRef warmUpTable() {
    return new TableRef(keyspace(), "warm_up");
  }

  private TableRef table(int writes) {
    return new TableRef(keyspace(), "w" + writes);
  }

  private String keyspace() {
    return "crs_stale_rf" + replicas + kind.suffix();
  }

  private void warmUp(StageTools tools, ArcKeys arc) throws InterruptedException {
    Node writer = arc.writers(tools.nodes().coordinators()).get(0);
    List<Node> readers = arc.readersBeside(writer);
    CellReads reads = new CellReads(replicas);
    Cell cell = new Cell(quorum(), late.gapsMillis().get(0));
    int unmeasured = Math.max(1, pairs / WARM_UP_DIVISOR);
    try (WriteThenRead client = new WriteThenRead(tools.nodes().session(), warmUpTable())) {
      client.run(
          new PairLoad(
              List.of(new Lane(0, writer, arc.keys())),
              level(quorum()),
              (pair, unused) -> planned(cell, reads, readers.get(pair % readers.size())),
              unmeasured,
              pace),
          tools.progress().step("n%d%s warm-up".formatted(replicas, kind.suffix()), unmeasured));
    }
  }

  private void block(StageTools tools, WriteThenRead client, ArcKeys arc, int writes)
      throws InterruptedException {
    FaultyNodes nodes = tools.nodes();
    Node writer = arc.writers(nodes.coordinators()).get(0);
    List<Node> readers = arc.readersBeside(writer);
    Lane lane = new Lane(0, writer, arc.keys());
    Map<Cell, CellReads> measured = new LinkedHashMap<>();
    List<PlannedRead> turns = new ArrayList<>();
    for (Cell cell : cells(writes)) {
      measured.put(cell, new CellReads(replicas));
    }
    for (Node reader : readers) {
      measured.forEach((cell, reads) -> turns.add(planned(cell, reads, reader)));
    }
    PairLoad load =
        new PairLoad(
            List.of(lane),
            level(writes),
            (pair, unused) -> turns.get(pair % turns.size()),
            pairs,
            pace);
    String phase = "n%d_w%d%s".formatted(replicas, writes, kind.suffix());
    Duration cpu = nodes.cpu();
    PairOutcome outcome = client.run(load, tools.progress().step(phase, pairs));
    Predictions predicted = Predictions.of(nodes.session(), writer, table(writes));
    tools
        .record()
        .add(
            new BlockResult(
                    "writes",
                    phase,
                    0,
                    outcome.writes().size() - outcome.failed(),
                    outcome.failed(),
                    outcome.seconds(),
                    Map.of("write", outcome.latencies()),
                    NodeCost.ofCpu(nodes.cpu().minus(cpu)))
                .withCounters(nodes.writtenByRole(table(writes))));
    measured.forEach(
        (cell, reads) ->
            tools
                .record()
                .add(
                    result(
                        tools,
                        phase,
                        reads,
                        outcome,
                        predicted.of(new Condition(cell.reads(), writes, cell.gapMillis())))));
    tools.readBack(client, List.of(lane));
  }

  private PlannedRead planned(Cell cell, CellReads reads, Node reader) {
    return new PlannedRead(
        reads, reader, level(cell.reads()), cell.gapMillis() * NANOS_PER_MILLI, false);
  }

  private ConsistencyLevel level(int wanted) {
    return UsedLevel.waitingFor(wanted, replicas);
  }

  private BlockResult result(
      StageTools tools, String phase, CellReads reads, PairOutcome outcome, Prediction predicted) {
    Condition when = predicted.when();
    StalenessReport report = reads.check(outcome.writes());
    boolean isControl = when.reads() + when.writes() > replicas;
    tools.add(isControl ? CellCounters.outcomeOfQuorums(report) : CellCounters.outcome(report));
    Map<String, Long> counters = new LinkedHashMap<>(CellCounters.of(report));
    counters.put(CellCounters.PREDICTED_PPM, CellCounters.ppm(predicted.stale()));
    counters.put(CellCounters.PREDICTED_LOW_PPM, CellCounters.ppm(predicted.low()));
    counters.put(CellCounters.PREDICTED_HIGH_PPM, CellCounters.ppm(predicted.high()));
    counters.put(CellCounters.SAMPLES, predicted.samples());
    if (isControl) {
      counters.put(CellCounters.CONTROL, 1L);
    }
    return new BlockResult(
            "r" + when.reads(),
            "%s_after%dms".formatted(phase, when.afterMillis()),
            0,
            reads.count(),
            reads.failures(),
            outcome.seconds(),
            Map.of("read", reads.latencies()),
            NodeCost.ofCpu(Duration.ZERO))
        .withCounters(counters);
  }
}
