package io.counterpart.lab.failure;

import io.counterpart.cluster.Node;
import io.counterpart.core.recovery.RecoveryMode;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.measure.NodeReading;
import io.counterpart.lab.measure.ReceivedStreams;
import io.counterpart.lab.measure.StreamedBytes;
import io.counterpart.lab.measure.TableProbe;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.recovery.StockRecovery;
import io.counterpart.recovery.Verdict;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Restores one table after another on a node that serves and has none of their data, and measures
 * each. Used by one thread.
 */
public final class TableRecovery {
  private final ConnectedNodes nodes;
  private final Node node;

  /** Recoveries of a node. */
  public TableRecovery(ConnectedNodes nodes, Node node) {
    this.nodes = nodes;
    this.node = node;
  }

  /**
   * What a recovery took; the node's start is not in it, nor the comparison at the end.
   *
   * @param seconds until all data was there
   * @param secondsByPart as {@link BlockResult} has it
   * @param received what the node received meanwhile
   * @param cost all servers' cost meanwhile
   * @param verdict of the comparison at the end, IN_SYNC for ways that compare nothing
   */
  public record Outcome(
      double seconds,
      Map<String, Double> secondsByPart,
      StreamedBytes received,
      NodeCost cost,
      Verdict verdict) {
    /** The bytes received as {@link BlockResult} has them. */
    public Map<String, Long> bytesReceived() {
      return Map.of(
          BlockResult.WHOLE, received.wholeBytes(), BlockResult.SECTIONS, received.partialBytes());
    }
  }

  /**
   * Restores all that the node keeps of a table's keyspace.
   *
   * @throws IllegalStateException if the node still has something of the table
   */
  public Outcome run(RecoveryMethod method, TableProbe table) throws InterruptedException {
    if (!table.isEmptyOn(node)) {
      throw new IllegalStateException(
          "%s on %s: must be empty before its recovery".formatted(table.table().qualified(), node));
    }
    return switch (method) {
      case RECOVER -> new CounterpartRecovery(nodes, node, table).run(RecoveryMode.AUTO);
      case PAPER -> new CounterpartRecovery(nodes, node, table).run(RecoveryMode.REPAIR);
      case REPAIR, REBUILD -> stock(method, table);
    };
  }

  private Outcome stock(RecoveryMethod method, TableProbe table) throws InterruptedException {
    StockRecovery recovery = new StockRecovery(nodes.jmx(node));
    String keyspace = table.table().keyspace();
    ReceivedStreams streams = new ReceivedStreams(nodes, node);
    NodeReading before = NodeReading.of(table);
    StockRecovery.Took took =
        method == RecoveryMethod.REPAIR ? recovery.repair(keyspace) : recovery.rebuild(keyspace);
    NodeCost cost = NodeReading.of(table).since(before);
    boolean trees = method == RecoveryMethod.REPAIR;
    return new Outcome(
        took.seconds(),
        parts(took.seconds(), trees ? took.quietSeconds() : 0, took.streamingSeconds()),
        streams.soFar(),
        cost,
        Verdict.IN_SYNC);
  }

  /** What is neither is the rest of all. */
  static Map<String, Double> parts(double seconds, double merkle, double streaming) {
    Map<String, Double> parts = new LinkedHashMap<>();
    parts.put(BlockResult.MERKLE, merkle);
    parts.put(BlockResult.STREAM, streaming);
    parts.put(BlockResult.OTHER, Math.max(0, seconds - merkle - streaming));
    return parts;
  }
}
