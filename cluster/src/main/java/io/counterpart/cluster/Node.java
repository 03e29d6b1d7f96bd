package io.counterpart.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.cluster.jmx.JmxEndpoint;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.cluster.layout.Join;
import io.counterpart.cluster.layout.Location;
import io.counterpart.cluster.layout.NodeFiles;
import io.counterpart.cluster.layout.NodeLayout;
import io.counterpart.process.DiskBytes;
import io.counterpart.process.ProcessIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * One Cassandra node: its process, files and tools. Reading is thread-safe; start, stop, kill and
 * wipe of one node must not overlap.
 */
public final class Node implements ObservedNode {

  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);
  private static final Duration JMX_LIMIT = Duration.ofSeconds(30);

  private final Cluster cluster;
  private final NodeLayout layout;
  private final Object launching = new Object();
  private volatile @Nullable ProcessIdentity process;

  Node(Cluster cluster, NodeLayout layout, @Nullable ProcessIdentity process) {
    this.cluster = cluster;
    this.layout = layout;
    this.process = process;
  }

  /** 1-based position in the cluster. */
  @Override
  public int index() {
    return layout.index();
  }

  /** Loopback address that CQL and the other nodes use. */
  @Override
  public String address() {
    return layout.address();
  }

  public int cqlPort() {
    return layout.ports().cql();
  }

  /** JMX port on 127.0.0.1. */
  public int jmxPort() {
    return layout.jmxPort();
  }

  public Location location() {
    return layout.location();
  }

  @Override
  public String datacenter() {
    return location().dc();
  }

  /** Process id of the running or last process; 0 if there was none. */
  public long pid() {
    ProcessIdentity current = process;
    return current == null ? 0 : current.pid();
  }

  public Path directory() {
    return layout.directory();
  }

  public Path dataDirectory() {
    return layout.data();
  }

  /** The node's system.log. */
  public Path logFile() {
    return layout.systemLog();
  }

  /** Whether it has a process, paused or not. */
  public boolean isAlive() {
    ProcessIdentity current = process;
    return current != null && current.isAlive();
  }

  /** Whether it has a process that is not paused. */
  public boolean isRunning() {
    return state() == NodeState.RUNNING;
  }

  /** What its process does now. */
  public NodeState state() {
    ProcessIdentity current = process;
    if (current == null) {
      return NodeState.STOPPED;
    }
    if (!current.isAlive()) {
      return NodeState.DEAD;
    }
    return current.isPaused() ? NodeState.PAUSED : NodeState.RUNNING;
  }

  /** SIGKILL; returns when the process is gone. A dead node is left as it is. */
  public void kill() {
    running().ifPresent(ProcessIdentity::kill);
  }

  /**
   * SIGTERM, upon which Cassandra drains itself; SIGKILL if that takes over a minute. A paused node
   * is resumed for that.
   */
  public void stop() {
    terminate();
    awaitStopped(STOP_LIMIT);
    cluster.save();
  }

  /** SIGSTOP: the process keeps its memory and ports, and answers nobody. */
  public void pause() {
    running().ifPresent(ProcessIdentity::pause);
  }

  /** Lets a paused process go on; returns when it and the others that run see one another. */
  public void resume() {
    resumeUnseen();
    cluster.awaitAgreement();
  }

  /** Lets a process go on that was paused too briefly for the others to miss it; asks nobody. */
  public void resumeUnseen() {
    running().ifPresent(ProcessIdentity::resume);
  }

  /** Asks the process to drain and end; does not wait. */
  void terminate() {
    running().ifPresent(ProcessIdentity::terminate);
  }

  void awaitStopped(Duration limit) {
    running()
        .ifPresent(
            current -> {
              if (!current.awaitExit(limit)) {
                current.kill();
              }
              process = null;
            });
  }

  /**
   * Starts a dead node on its own directories; returns when it is in the ring, serves CQL and
   * agrees with the other live nodes on members and schema.
   *
   * @throws NodeStartException if it does not come up
   */
  public void start(StartListener listener) {
    cluster.restart(this, listener);
  }

  /**
   * Deletes the data, commit log, hints and saved caches of a dead node; its tokens stay its own.
   */
  public void wipe() {
    if (isAlive()) {
      throw new IllegalStateException("node " + index() + " runs; only a dead node can be wiped");
    }
    try {
      NodeFiles.wipe(layout);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot wipe node " + index(), e);
    }
  }

  /** User and system CPU time of the running process; zero if it does not run. */
  public Duration cpuTime() {
    return running().flatMap(ProcessIdentity::cpuTime).orElse(Duration.ZERO);
  }

  @Override
  public Duration cpuTime(NodeJmx connection) {
    return cpuTime();
  }

  /** Disk traffic of the running process; none if it does not run. */
  public DiskBytes diskBytes() {
    return running().map(ProcessIdentity::diskBytes).orElse(DiskBytes.NONE);
  }

  /** A new JMX connection, to be closed by the caller. */
  @Override
  public NodeJmx jmx() {
    try {
      // one that stands still accepts connections and says nothing
      return new JmxEndpoint("127.0.0.1", jmxPort(), null).connect(JMX_LIMIT);
    } catch (IOException e) {
      throw new UncheckedIOException("no JMX connection to node " + index(), e);
    }
  }

  /**
   * Runs NodeTool against this node in a JVM of its own.
   *
   * @return what it printed
   * @throws NodetoolException if it ends with an error
   */
  public String nodetool(String... arguments) {
    try {
      Process tool = nodetoolProcess(List.of(arguments)).redirectErrorStream(true).start();
      String output = new String(tool.getInputStream().readAllBytes(), UTF_8);
      int exitCode = tool.waitFor();
      if (exitCode != 0) {
        throw new NodetoolException(String.join(" ", arguments), exitCode, output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run nodetool", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted in nodetool");
    }
  }

  /** A NodeTool process against this node, ready to start, with standard streams to be set. */
  public ProcessBuilder nodetoolProcess(List<String> arguments) {
    try {
      NodeFiles.writeNodetool(cluster.spec());
      return new ProcessBuilder(NodeCommandLine.nodetool(cluster.spec(), jmxPort(), arguments));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot prepare nodetool", e);
    }
  }

  @Override
  public String toString() {
    return "node " + index() + " (" + address() + ")";
  }

  NodeLayout layout() {
    return layout;
  }

  ClusterState.Member member() {
    return new ClusterState.Member(layout, process);
  }

  /** Whether a start finds data of an earlier one. */
  boolean hasData() {
    return Files.isDirectory(layout.data().resolve("system"));
  }

  /**
   * @throws CancellationException if this JVM is ending: nothing was started
   */
  void launch(Join join, List<String> seeds) throws IOException {
    synchronized (launching) {
      if (ExitHook.isJvmExiting()) {
        throw new CancellationException("this JVM is exiting");
      }
      process = NodeLauncher.launch(cluster.spec(), layout, join, seeds);
    }
  }

  private Optional<ProcessIdentity> running() {
    // an exit hook that comes during a launch waits for the process that it has to end
    synchronized (launching) {
      return Optional.ofNullable(process).filter(ProcessIdentity::isAlive);
    }
  }
}
