package io.counterpart.lab.measure;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.NodeJmx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Rebuilds one keyspace on a node that came back empty, as {@code nodetool rebuild} does, and
 * counts what is streamed.
 */
public final class Rebuild {
  private static final String STORAGE_SERVICE = "org.apache.cassandra.db:type=StorageService";
  private static final List<String> READERS =
      List.of(
          "org.apache.cassandra.db.streaming.CassandraEntireSSTableStreamReader",
          "org.apache.cassandra.db.streaming.CassandraStreamReader");

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
    setReadersLogLevel("DEBUG");
    Path debugLog = node.logFile().resolveSibling("debug.log");
    LogTail log = new LogTail(debugLog);
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
    StreamedBytes streamed = StreamedBytes.parse(log.lines());
    setReadersLogLevel("INFO");
    return new Outcome(time, streamed);
  }

  private void setReadersLogLevel(String level) {
    for (String reader : READERS) {
      jmx.invoke(
          STORAGE_SERVICE,
          "setLoggingLevel",
          new Object[] {reader, level},
          new String[] {String.class.getName(), String.class.getName()});
    }
  }
}
