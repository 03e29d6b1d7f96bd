package io.counterpart.cluster;

import io.counterpart.cluster.jmx.JmxEndpoint;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.cluster.layout.Join;
import io.counterpart.cluster.layout.Location;
import io.counterpart.cluster.layout.NodeFiles;
import io.counterpart.cluster.layout.NodeLayout;
import io.counterpart.cluster.server.NodeServers;
import io.counterpart.process.ExitHook;
import io.counterpart.process.ProcessIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
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
  private final NodeServers servers;
  private final Object launching = new Object();
  private final @Nullable String replaces;
  private volatile @Nullable ProcessIdentity process;

  /** One that was never started; for others see {@link #replaces()}. */
  Node(Cluster cluster, NodeLayout layout, @Nullable String replaces) {
    this.cluster = cluster;
    this.layout = layout;
    this.servers = NodeServers.fresh(cluster.spec(), layout);
    this.replaces = replaces;
  }

  Node(Cluster cluster, ClusterState.Member recorded) {
    this.cluster = cluster;
    this.layout = recorded.layout();
    this.servers = NodeServers.of(cluster.spec(), layout, recorded.servers());
    this.replaces = recorded.replaces();
    this.process = recorded.found();
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

  /** The servers that its engines need: started before it, stopped after it, not killed with it. */
  public NodeServers servers() {
    return servers;
  }

  /** SIGKILL; returns when the process is gone. A dead node is left as it is. */
  public void kill() {
    running().ifPresent(ProcessIdentity::kill);
  }

  /**
   * SIGTERM, upon which Cassandra drains itself; SIGKILL if that takes over a minute, or more where
   * a store in memory has to be written. A paused node is resumed for that.
   */
  public void stop() {
    RemovedNodes.note(cluster.nodes());
    terminate();
    awaitStopped(cluster.spec().losesDataWhenKilled() ? Cluster.SPILL_LIMIT : STOP_LIMIT);
    cluster.save();
  }

  /** SIGSTOP: the process keeps its memory and ports, and answers nobody. */
  public void pause() {
    running().ifPresent(ProcessIdentity::pause);
  }

  /** Lets a paused process go on; returns when it and the others that run see one another. */
  public void resume() {
    resumeUnseen();
    cluster.awaitAgreement(List.of(this));
  }

  /** Lets a process go on that was paused too briefly for the others to miss it; asks nobody. */
  public void resumeUnseen() {
    running().ifPresent(ProcessIdentity::resume);
  }

  /** Asks the process to drain and end; does not wait. */
  void terminate() {
    running().ifPresent(ProcessIdentity::terminate);
  }

  /** Kills the node and its servers. */
  void end() {
    kill();
    servers.kill();
  }

  /** Returns when neither the process nor a server of its is left. */
  void awaitStopped(Duration limit) {
    running()
        .ifPresent(
            current -> {
              if (!current.awaitExit(limit)) {
                current.kill();
              }
              process = null;
            });
    servers.stop();
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
   * Deletes the data, commit log, hints, saved caches and servers of a dead node; its tokens stay
   * its own.
   */
  public void wipe() {
    if (isAlive()) {
      throw new IllegalStateException("node " + index() + " runs; only a dead node can be wiped");
    }
    try {
      servers.wipe();
      NodeFiles.wipe(layout);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot wipe node " + index(), e);
    }
  }

  /** Its process and those of its servers, as far as they run. */
  public List<ProcessIdentity> processes() {
    return Stream.concat(
            running().stream(),
            servers.processes().values().stream().filter(ProcessIdentity::isAlive))
        .toList();
  }

  /** User and system CPU time of its {@link #processes}. */
  public Duration cpuTime() {
    return processes().stream()
        .flatMap(each -> each.cpuTime().stream())
        .reduce(Duration.ZERO, Duration::plus);
  }

  @Override
  public Duration cpuTime(NodeJmx connection) {
    return cpuTime();
  }

  /** Bytes that its {@link #processes} have fetched from disks. */
  public long diskReadBytes() {
    return processes().stream().mapToLong(ProcessIdentity::diskReadBytes).sum();
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
    return Nodetool.run(cluster.spec(), jmxPort(), List.of(arguments));
  }

  /** A NodeTool process against this node, ready to start, with standard streams to be set. */
  public ProcessBuilder nodetoolProcess(List<String> arguments) {
    return Nodetool.process(cluster.spec(), jmxPort(), arguments);
  }

  @Override
  public String toString() {
    return "node " + index() + " (" + address() + ")";
  }

  NodeLayout layout() {
    return layout;
  }

  ClusterState.Member member() {
    return new ClusterState.Member(layout, process, servers.processes(), replaces);
  }

  /** Address of the dead node in whose place it was put; null if in none's. */
  @Nullable String replaces() {
    return replaces;
  }

  /**
   * @throws CancellationException if this JVM is ending: nothing was started
   */
  void launch(Join join, List<String> seeds) throws IOException {
    synchronized (launching) {
      if (ExitHook.isJvmExiting()) {
        throw new CancellationException("this JVM is exiting");
      }
      process = NodeLauncher.launch(cluster.spec(), layout, servers, join, seeds);
    }
  }

  private Optional<ProcessIdentity> running() {
    // an exit hook that comes during a launch waits for the process that it has to end
    synchronized (launching) {
      return Optional.ofNullable(process).filter(ProcessIdentity::isAlive);
    }
  }
}
