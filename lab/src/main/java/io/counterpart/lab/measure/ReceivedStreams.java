package io.counterpart.lab.measure;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.jmx.NodeJmx;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The bytes that a node has received by streaming since this object was created, for any cause. */
public final class ReceivedStreams {
  private static final Duration LOG_LIMIT = Duration.ofSeconds(10);
  private static final Duration LOG_POLL = Duration.ofMillis(100);

  private final NodeJmx jmx;
  private final LogTail log;
  private final long wholeBefore;
  private final long partialBefore;

  /** Counts from now on. */
  public ReceivedStreams(ConnectedNodes nodes, Node node) {
    jmx = nodes.jmx(node);
    log = new LogTail(node.logFile());
    wholeBefore = received("EntireSSTablesStreamedIn");
    partialBefore = received("PartialSSTablesStreamedIn");
  }

  /**
   * The log's bytes, once it shows as many sstables as Cassandra has counted: it lags a little.
   *
   * @throws IllegalStateException if it does not catch up
   */
  public StreamedBytes soFar() {
    long whole = received("EntireSSTablesStreamedIn") - wholeBefore;
    long partial = received("PartialSSTablesStreamedIn") - partialBefore;
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
