package io.counterpart.lab.failure;

import io.counterpart.cluster.Node;
import io.counterpart.core.recovery.RecoveryMode;
import io.counterpart.core.recovery.RecoveryPolicy;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.measure.NodeReading;
import io.counterpart.lab.measure.ReceivedStreams;
import io.counterpart.lab.measure.StreamedBytes;
import io.counterpart.lab.measure.TableProbe;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.recovery.Recovery;
import io.counterpart.recovery.RecoveryListener;
import io.counterpart.recovery.RecoveryProgress;
import io.counterpart.recovery.RecoveryResult.RestoredKeyspace;
import io.counterpart.recovery.RecoverySettings;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One recovery by {@code counterpart recover}. Time, cost and streams are read after all ranges are
 * restored and before they are compared. To be used once.
 */
final class CounterpartRecovery implements RecoveryListener {
  private static final double NANOS = 1e9;

  private final TableProbe table;
  private final Node node;
  private final ConnectedNodes nodes;
  private final ReceivedStreams streams;
  private final NodeReading before;
  private long startNanos;
  private @Nullable Reading restored;

  /** What was read when all ranges were there. */
  private record Reading(double seconds, NodeReading servers, StreamedBytes streamed) {}

  CounterpartRecovery(ConnectedNodes nodes, Node node, TableProbe table) {
    this.nodes = nodes;
    this.node = node;
    this.table = table;
    streams = new ReceivedStreams(nodes, node);
    before = NodeReading.of(table);
  }

  TableRecovery.Outcome run(RecoveryMode mode) throws InterruptedException {
    RecoverySettings settings =
        new RecoverySettings(
            List.of(table.table().keyspace()),
            RecoveryPolicy.of(mode),
            node.directory().resolve("lab-recovery.json"));
    startNanos = System.nanoTime();
    RestoredKeyspace keyspace =
        new Recovery(nodes.jmx(node), settings).run(this).keyspaces().get(0);
    Reading reading = restored;
    if (reading == null) {
      throw new IllegalStateException("the recovery never said that all ranges are there");
    }
    Map<String, Double> parts =
        TableRecovery.parts(
            reading.seconds(), keyspace.merkleSeconds(), keyspace.streamingSeconds());
    parts.put(BlockResult.VERIFY, keyspace.verificationSeconds());
    return new TableRecovery.Outcome(
        reading.seconds(),
        parts,
        reading.streamed(),
        reading.servers().since(before),
        keyspace.verdict());
  }

  // called again where the comparison finds that a repair is needed too: its time counts then
  @Override
  public void restored(String keyspace) {
    double seconds = (System.nanoTime() - startNanos) / NANOS;
    restored = new Reading(seconds, NodeReading.of(table), streams.soFar());
  }

  @Override
  public void say(String line) {}

  @Override
  public void progress(RecoveryProgress progress) {}
}
