package io.counterpart.lab.staleness;

import io.counterpart.lab.check.StalenessReport;
import io.counterpart.lab.measure.Decisions;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.lab.staleness.client.CellReads;
import io.counterpart.lab.staleness.client.PairLoad;
import io.counterpart.lab.staleness.client.PairOutcome;
import io.counterpart.lab.staleness.client.WriteThenRead;
import io.counterpart.lab.workload.TableRef;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The cost of sampling and deciding: the same pairs with the consistency handler off and on, in
 * turn, on the same nodes. The policy is the default, {@code raise} with ε = 1 %: writes are
 * samples, every read is decided about, and none is raised, since no bound asks for more than a
 * quorum.
 *
 * <p>Each node writes rows of its own at QUORUM, and the next node reads them at QUORUM, at once.
 * Writes are not late, and no read may be stale.
 *
 * @param load pairs of a block; one block of each arm is a repeat
 */
public record OverheadStage(BoundStage.Load load) implements StalenessStage {
  static final String OFF = "handler_off";
  static final String ON = "handler_on";
  static final String PHASE = "overhead";
  private static final int REPLICAS = 3;
  private static final int KEYS = 300;
  private static final TableRef TABLE = new TableRef("crs_overhead", "pairs");

  @Override
  public int replicas() {
    return REPLICAS;
  }

  @Override
  public int blocks() {
    return 2 * load.repeats();
  }

  @Override
  public void run(StageTools tools) throws InterruptedException {
    FaultyNodes nodes = tools.nodes();
    nodes.keyspace(TABLE.keyspace(), REPLICAS);
    nodes.table(TABLE);
    nodes.policy(TABLE, "mode, epsilon", "'raise', 0.01");
    nodes.awaitPolicy(TABLE);
    NeighbourPairs neighbours = NeighbourPairs.of(nodes, TABLE, KEYS);
    try (WriteThenRead client = new WriteThenRead(nodes.session(), TABLE)) {
      Arms arms = new Arms(tools, client, neighbours);
      arms.warmUp();
      HandlerThreads threads = new HandlerThreads(nodes.connected());
      for (int repeat = 0; repeat < load.repeats(); repeat++) {
        // forwards, then backwards, so that a drift of the machine favours neither
        for (boolean on : repeat % 2 == 0 ? List.of(false, true) : List.of(true, false)) {
          arms.measure(threads, on, repeat);
        }
      }
      tools.readBack(client, neighbours.lanes());
    } finally {
      nodes.consistency(true);
    }
  }

  /** Both arms under measurement. */
  private final class Arms {
    private final StageTools tools;
    private final WriteThenRead client;
    private final NeighbourPairs neighbours;

    Arms(StageTools tools, WriteThenRead client, NeighbourPairs neighbours) {
      this.tools = tools;
      this.client = client;
      this.neighbours = neighbours;
    }

    void warmUp() throws InterruptedException {
      // both paths are compiled before the first block
      for (boolean on : new boolean[] {false, true}) {
        tools.nodes().consistency(on);
        int half = load.warmUps() / 2;
        client.run(
            pairs(new CellReads(REPLICAS), half),
            tools.progress().step(arm(on) + " warm-up", half));
      }
    }

    void measure(HandlerThreads threads, boolean on, int repeat) throws InterruptedException {
      FaultyNodes nodes = tools.nodes();
      nodes.consistency(on);
      CellReads reads = new CellReads(REPLICAS);
      Decisions before = decisions();
      Duration own = threads.cpu();
      Duration cpu = nodes.cpu();
      PairOutcome outcome =
          client.run(
              pairs(reads, load.pairs()),
              tools.progress().step("%s %d".formatted(arm(on), repeat + 1), load.pairs()));
      Duration used = nodes.cpu().minus(cpu);
      Duration background = threads.cpu().minus(own);
      StalenessReport report = reads.check(outcome.writes());
      tools.add(CellCounters.outcomeOfQuorums(report));
      Map<String, Long> counters = new LinkedHashMap<>(CellCounters.of(report));
      counters.put(CellCounters.BACKGROUND_CPU_MICROS, background.toNanos() / 1_000);
      counters.putAll(decisions().since(before).counters());
      tools
          .record()
          .add(
              new BlockResult(
                      arm(on),
                      PHASE,
                      repeat,
                      2L * reads.count(),
                      reads.failures() + outcome.failed(),
                      outcome.seconds(),
                      Map.of("read", reads.latencies(), "write", outcome.latencies()),
                      NodeCost.ofCpu(used))
                  .withCounters(counters));
    }

    private Decisions decisions() {
      return Decisions.of(tools.nodes().session(), tools.nodes().coordinators(), TABLE);
    }

    private PairLoad pairs(CellReads reads, int count) {
      return neighbours.load(reads, false, count, load.pace());
    }
  }

  private static String arm(boolean on) {
    return on ? ON : OFF;
  }
}
