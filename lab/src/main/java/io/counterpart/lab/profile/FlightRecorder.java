package io.counterpart.lab.profile;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.lab.measure.ConnectedNodes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Profiles nodes over JMX by the Java Flight Recorder in each of them, without another process or
 * agent.
 *
 * <p>Samples of native methods cover every wait for the disk: reads and writes of files, and
 * forcing a mapped commit log. JFR's events of file reads and writes miss the last, and a stack for
 * each read from the page cache would cost more than the read.
 */
public final class FlightRecorder implements Profiler {
  /** Time between samples, milliseconds: that of the JDK's own setting "profile". */
  public static final int PERIOD_MILLIS = 10;

  // the stack of a read through all layers of Cassandra is deeper than JFR's 64 frames
  private static final String STACK_DEPTH = "stackdepth=160";
  private static final String BEAN = "jdk.management.jfr:type=FlightRecorder";
  private static final String SETTINGS =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <configuration version="2.0" label="counterpart" description="" provider="counterpart">
        <event name="jdk.ExecutionSample">
          <setting name="enabled">true</setting>
          <setting name="period">%1$d ms</setting>
        </event>
        <event name="jdk.NativeMethodSample">
          <setting name="enabled">true</setting>
          <setting name="period">%1$d ms</setting>
        </event>
      </configuration>
      """
          .formatted(PERIOD_MILLIS);

  private final ConnectedNodes nodes;

  private FlightRecorder(ConnectedNodes nodes) {
    this.nodes = nodes;
  }

  /**
   * The recorders of nodes that run, warmed up: the first recording of a JVM loads classes.
   *
   * @throws IllegalArgumentException if a node's JVM has none
   */
  public static FlightRecorder of(ConnectedNodes nodes) {
    for (Node node : nodes.local()) {
      NodeJmx jmx = nodes.jmx(node);
      if (!jmx.has(BEAN)) {
        throw new IllegalArgumentException(
            "%s: its JVM has no Flight Recorder, which the breakdown of time needs"
                .formatted(node));
      }
      jmx.invoke(
          "com.sun.management:type=DiagnosticCommand",
          "jfrConfigure",
          new Object[] {new String[] {STACK_DEPTH}},
          new String[] {String[].class.getName()});
    }
    FlightRecorder recorder = new FlightRecorder(nodes);
    recorder.start().stop();
    return recorder;
  }

  /** How time is taken, and what is not seen, for a result's configuration. */
  public static Map<String, Object> describe() {
    Map<String, Object> method = new LinkedHashMap<>();
    method.put("profiler", "Java Flight Recorder, on every node for the length of each block");
    method.put("periodMillis", PERIOD_MILLIS);
    method.put(
        "counted",
        "seconds in which threads run or wait for the disk, all nodes together; the recording's own"
            + " cost falls on all arms alike");
    method.put(
        "notSeen",
        "waiting for locks, queues and answers; garbage collection and compilation; page faults of"
            + " mapped files that take over 2 ms, since a thread that waits in one does not answer"
            + " the sampler: indexes are mapped, data files unless dataFileAccess is standard");
    return method;
  }

  @Override
  public Recording start() {
    List<NodeRecording> recordings =
        nodes.local().parallelStream().filter(Node::isAlive).map(this::start).toList();
    return () -> {
      Map<String, Double> sum = new LinkedHashMap<>();
      recordings.parallelStream()
          .map(NodeRecording::stop)
          .toList()
          .forEach(node -> node.forEach((part, time) -> sum.merge(part, time, Double::sum)));
      return sum;
    };
  }

  private NodeRecording start(Node node) {
    NodeJmx jmx = nodes.jmx(node);
    long id = (Long) jmx.invoke(BEAN, "newRecording", new Object[0], new String[0]);
    jmx.invoke(
        BEAN,
        "setConfiguration",
        new Object[] {id, SETTINGS},
        new String[] {long.class.getName(), String.class.getName()});
    call(jmx, "startRecording", id);
    return new NodeRecording(jmx, id, System.nanoTime());
  }

  private static Object call(NodeJmx jmx, String operation, long id) {
    return jmx.invoke(BEAN, operation, new Object[] {id}, new String[] {long.class.getName()});
  }

  /** The recording of one node. */
  private record NodeRecording(NodeJmx jmx, long id, long startNanos) {
    Map<String, Double> stop() {
      call(jmx, "stopRecording", id);
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      try {
        Path file = Files.createTempFile("counterpart-", ".jfr");
        try {
          copyTo(file);
          return RecordedStacks.read(file).seconds(seconds);
        } finally {
          Files.delete(file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read a recording", e);
      }
    }

    // over the wire, not by the node's file system: it may be on another machine
    private void copyTo(Path file) throws IOException {
      long stream =
          (Long)
              jmx.invoke(
                  BEAN,
                  "openStream",
                  new Object[] {id, null},
                  new String[] {long.class.getName(), "javax.management.openmbean.TabularData"});
      try (var out = Files.newOutputStream(file)) {
        while (call(jmx, "readStream", stream) instanceof byte[] bytes) {
          out.write(bytes);
        }
      }
      call(jmx, "closeStream", stream);
      call(jmx, "closeRecording", id);
    }
  }
}
