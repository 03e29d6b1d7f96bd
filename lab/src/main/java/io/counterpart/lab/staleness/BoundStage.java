package io.counterpart.lab.staleness;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.counterpart.lab.check.StalenessReport;
import io.counterpart.lab.measure.Decisions;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.lab.staleness.client.CellReads;
import io.counterpart.lab.staleness.client.Lane;
import io.counterpart.lab.staleness.client.PairLoad;
import io.counterpart.lab.staleness.client.PairOutcome;
import io.counterpart.lab.staleness.client.PairPace;
import io.counterpart.lab.staleness.client.PlannedRead;
import io.counterpart.lab.staleness.client.WriteThenRead;
import io.counterpart.lab.workload.TableRef;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How many replicas reads contact under a bound of stale reads, ε: mode {@code lower} with floor
 * ONE, reads and writes of clients at QUORUM. Reads come the policy's window after the write.
 *
 * <p>Two coordinators write keys of their own and read each other's, since reads through the
 * writer's coordinator keep their level. Each decides by the writes that it coordinated itself.
 *
 * <p>Paper: CRS, Figure 6.
 *
 * @param kind of the tables
 * @param replicas N, 3 to 7
 * @param epsilons bounds, each with a table of its own
 * @param late delays of writes and of reads
 * @param load how many pairs
 */
public record BoundStage(
    StaleTable kind, int replicas, List<Double> epsilons, Window late, Load load)
    implements StalenessStage {
  private static final int KEYS = 1_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * Delays.
   *
   * @param meanMillis of writes from other nodes, above 0
   * @param windowMillis from a write's answer to the read, 0 and above
   */
  public record Window(double meanMillis, int windowMillis) {}

  /**
   * Pairs of a cell.
   *
   * @param warmUps before the first block, so that levels fall
   * @param pairs of a block
   * @param repeats blocks, at least 1
   */
  public record Load(int warmUps, int pairs, int repeats, PairPace pace) {}

  /** Keeps the bounds. */
  public BoundStage {
    epsilons = List.copyOf(epsilons);
  }

  @Override
  public int blocks() {
    return epsilons.size() * load.repeats();
  }

  /** Name of a bound's arm: "epsilon_0.01". */
  static String arm(double epsilon) {
    return String.format(Locale.ROOT, "epsilon_%s", epsilon);
  }

  /** Name of the phase. */
  static String phase(StaleTable kind, int replicas) {
    return "rf" + replicas + kind.suffix();
  }

  @Override
  public void run(StageTools tools) throws InterruptedException {
    FaultyNodes nodes = tools.nodes();
    String keyspace = keyspace();
    nodes.keyspace(keyspace, replicas);
    for (int i = 0; i < epsilons.size(); i++) {
      TableRef table = table(i);
      nodes.table(table, kind);
      nodes.policy(
          table,
          "mode, epsilon, floor, window_ms",
          "'lower', %s, 'ONE', %d".formatted(epsilons.get(i), late.windowMillis()));
    }
    ArcKeys arc = ArcKeys.of(nodes.session(), keyspace, nodes.coordinators().get(0), 2 * KEYS);
    nodes.lateWrites(late.meanMillis());
    try {
      for (int i = 0; i < epsilons.size(); i++) {
        new Cell(tools, arc, table(i), epsilons.get(i)).run();
      }
    } finally {
      nodes.lateWrites(0);
    }
  }

  private TableRef table(int bound) {
    return new TableRef(keyspace(), "e" + bound);
  }

  private String keyspace() {
    return "crs_bound_" + phase(kind, replicas);
  }

  /** One bound under measurement. */
  private final class Cell {
    private final StageTools tools;
    private final TableRef table;
    private final double epsilon;
    private final List<Node> coordinators;
    private final List<Lane> lanes;

    Cell(StageTools tools, ArcKeys arc, TableRef table, double epsilon) {
      this.tools = tools;
      this.table = table;
      this.epsilon = epsilon;
      coordinators = arc.writers(tools.nodes().coordinators()).subList(0, 2);
      lanes =
          List.of(
              new Lane(0, coordinators.get(0), arc.keys().subList(0, KEYS)),
              new Lane(1, coordinators.get(1), arc.keys().subList(KEYS, 2 * KEYS)));
    }

    void run() throws InterruptedException {
      try (WriteThenRead client = new WriteThenRead(tools.nodes().session(), table)) {
        String label = "%s %s".formatted(phase(kind, replicas), arm(epsilon));
        tools.nodes().awaitPolicy(table);
        client.run(
            pairs(new CellReads(replicas), load.warmUps()),
            tools.progress().step(label + " warm-up", load.warmUps()));
        for (int repeat = 0; repeat < load.repeats(); repeat++) {
          measure(client, label, repeat);
        }
        tools.readBack(client, lanes);
      }
    }

    private void measure(WriteThenRead client, String label, int repeat)
        throws InterruptedException {
      CellReads reads = new CellReads(replicas);
      Decisions before = decisions();
      Duration cpu = tools.nodes().cpu();
      PairOutcome outcome =
          client.run(
              pairs(reads, load.pairs()),
              tools.progress().step("%s %d".formatted(label, repeat + 1), load.pairs()));
      Duration used = tools.nodes().cpu().minus(cpu);
      Decisions decided = decisions().since(before);
      StalenessReport report = reads.check(outcome.writes());
      tools.record().add(CellCounters.outcome(report));
      Map<String, Long> counters = new LinkedHashMap<>(CellCounters.of(report));
      counters.put(CellCounters.EPSILON_PPM, CellCounters.ppm(epsilon));
      counters.put(CellCounters.CONTACTED, reads.contacted() + decided.shadowReads() * replicas);
      counters.put(CellCounters.QUORUM, reads.count() * (replicas / 2 + 1L));
      counters.put(CellCounters.SHADOW_READS, decided.shadowReads());
      counters.putAll(decided.counters());
      counters.putAll(tools.nodes().writtenByRole(table));
      tools
          .record()
          .add(
              new BlockResult(
                      arm(epsilon),
                      phase(kind, replicas),
                      repeat,
                      reads.count(),
                      reads.failures() + outcome.failed(),
                      outcome.seconds(),
                      Map.of("read", reads.latencies(), "write", outcome.latencies()),
                      NodeCost.ofCpu(used))
                  .withCounters(counters));
    }

    private PairLoad pairs(CellReads reads, int count) {
      return new PairLoad(
          lanes,
          DefaultConsistencyLevel.QUORUM,
          (pair, lane) ->
              new PlannedRead(
                  reads,
                  coordinators.get(1 - lane.session()),
                  DefaultConsistencyLevel.QUORUM,
                  late.windowMillis() * NANOS_PER_MILLI,
                  true),
          count,
          load.pace());
    }

    private Decisions decisions() {
      return Decisions.of(tools.nodes().session(), coordinators, table);
    }
  }
}
