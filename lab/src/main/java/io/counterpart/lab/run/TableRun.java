package io.counterpart.lab.run;

import io.counterpart.lab.check.RowCheck;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.measure.ServerReading;
import io.counterpart.lab.measure.TableProbe;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.workload.PairClient;
import io.counterpart.lab.workload.Phase;
import io.counterpart.lab.workload.PhaseOutcome;
import io.counterpart.lab.workload.TableRef;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/** One table of an experiment with its client; runs blocks on it and measures them. */
final class TableRun {
  private final Arm arm;
  private final PairClient client;
  private final TableProbe probe;
  private final LongAdder wrong = new LongAdder();

  TableRun(Arm arm, TableRef table, PairClient client, ConnectedNodes nodes) {
    this.arm = arm;
    this.client = client;
    probe = new TableProbe(nodes, table);
  }

  Arm arm() {
    return arm;
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

  BlockResult insert(String phase, int repeat, int rows, LongConsumer progress) {
    ServerReading before = ServerReading.of(probe);
    return result(arm.name(), phase, repeat, client.insert(rows, progress), before);
  }

  BlockResult run(String armName, String name, int repeat, Phase phase, LongConsumer progress) {
    RowCheck check = new RowCheck(client.codec(), client.ledger());
    ServerReading before = ServerReading.of(probe);
    PhaseOutcome outcome =
        client.run(
            phase,
            (key, value) -> {
              // older than acknowledged is legal below QUORUM, made-up bytes never are
              if (check.judge(key, value) == RowCheck.Verdict.WRONG) {
                wrong.increment();
              }
            },
            progress);
    return result(armName, name, repeat, outcome, before);
  }

  private BlockResult result(
      String armName, String phase, int repeat, PhaseOutcome outcome, ServerReading before) {
    if (outcome.operations() == 0) {
      throw new IllegalStateException(
          "no operation of %s on %s was answered: %s"
              .formatted(phase, armName, outcome.firstError()));
    }
    Map<String, LatencySummary> latencies = new TreeMap<>();
    outcome
        .latencies()
        .byKind()
        .forEach(
            (kind, histogram) ->
                latencies.put(kind.name().toLowerCase(Locale.ROOT), LatencySummary.of(histogram)));
    return new BlockResult(
        armName,
        phase,
        repeat,
        outcome.operations(),
        outcome.failed(),
        outcome.nanos() / 1e9,
        latencies,
        ServerReading.of(probe).since(before));
  }
}
