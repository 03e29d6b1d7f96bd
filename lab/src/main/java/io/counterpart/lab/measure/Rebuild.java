package io.counterpart.lab.measure;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.NodeJmx;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Rebuilds one keyspace on a node that came back empty, as {@code nodetool rebuild} does, and
 * counts what is streamed.
 */
public final class Rebuild {
  private static final String STORAGE_SERVICE = "org.apache.cassandra.db:type=StorageService";
  private static final Duration LOG_LIMIT = Duration.ofSeconds(10);
  private static final Duration LOG_POLL = Duration.ofMillis(100);

  private final Node node;
  private final NodeJmx jmx;

  /** A rebuild on a running node. */
  public Rebuild(ConnectedNodes nodes, Node node) {
    this.node = node;
    jmx = nodes.jmx(node);
  }

  /**
   * What a rebuild took.
   *
   * @param time from the call until it returned
   * @param streamed bytes received
   */
  public record Outcome(Duration time, StreamedBytes streamed) {}

  /** Streams a keyspace from the other replicas; returns when all of it is there. */
  public Outcome keyspace(String keyspace) {
    LogTail log = new LogTail(node.logFile());
    long wholeBefore = received("EntireSSTablesStreamedIn");
    long partialBefore = received("PartialSSTablesStreamedIn");
    long start = System.nanoTime();
    jmx.invoke(
        STORAGE_SERVICE,
        "rebuild",
        new Object[] {null, keyspace, null, null},
        new String[] {
          String.class.getName(),
          String.class.getName(),
          String.class.getName(),
          String.class.getName()
        });
    Duration time = Duration.ofNanos(System.nanoTime() - start);
    StreamedBytes streamed =
        agreed(
            log,
            received("EntireSSTablesStreamedIn") - wholeBefore,
            received("PartialSSTablesStreamedIn") - partialBefore);
    return new Outcome(time, streamed);
  }

  /** The log's bytes, once it shows as many sstables as Cassandra has counted: it lags a little. */
  private static StreamedBytes agreed(LogTail log, long whole, long partial) {
    long deadline = System.nanoTime() + LOG_LIMIT.toNanos();
    while (true) {
      StreamedBytes streamed = StreamedBytes.parse(log.lines());
      if (streamed.wholeSstables() == whole && streamed.partialSstables() == partial) {
        return streamed;
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "streamed sstables, whole and partial: %d and %d in the log, but Cassandra counted %d and %d"
                .formatted(streamed.wholeSstables(), streamed.partialSstables(), whole, partial));
      }
      LockSupport.parkNanos(LOG_POLL.toNanos());
    }
  }

  private long received(String counter) {
    return jmx.sum("org.apache.cassandra.metrics:type=Streaming,scope=*,name=" + counter, "Count");
  }
}
