package io.counterpart.cluster;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.Join;
import io.counterpart.cluster.layout.Location;
import io.counterpart.cluster.layout.NodeLayout;
import io.counterpart.process.ExitHook;
import io.counterpart.process.PreflightException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of real Cassandra nodes. The JVM that starts it owns it: nodes end with that JVM, also
 * on Ctrl-C, unless {@link #detach} was called. Should that JVM be killed, {@link #attach} finds
 * the nodes through {@code cluster.json}. Reading is thread-safe; changes are serialised.
 */
public final class Cluster implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(5);
  private static final Duration JOIN_LIMIT = Duration.ofMinutes(60);
  private static final Duration EXIT_LIMIT = Duration.ofSeconds(3);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(8);
  static final Duration SPILL_LIMIT = Duration.ofSeconds(90);

  private volatile ClusterSpec spec;
  private final List<Node> nodes = new CopyOnWriteArrayList<>();
  private final ClusterRecord record = new ClusterRecord();
  private ExitHook exit = ExitHook.none();

  private Cluster(ClusterSpec spec) {
    this.spec = spec;
  }

  /**
   * Starts a fresh cluster, all nodes at once; data of a stopped cluster under the same home is
   * deleted.
   *
   * @throws PreflightException if the machine cannot hold it; nothing was touched
   * @throws NodeStartException as soon as a node's process ends; the others are stopped
   * @throws IllegalStateException if a cluster is running under this home
   */
  public static Cluster start(ClusterSpec spec, StartListener listener)
      throws IOException, InterruptedException {
    FreshHome.prepare(spec);
    Cluster cluster = fresh(spec);
    cluster.bringUp(cluster.nodes, node -> new Join.Fresh(), listener);
    return cluster;
  }

  /**
   * Starts the dead nodes of the cluster recorded under {@code home} on their data.
   *
   * @return empty if none is recorded
   * @throws PreflightException if no node runs and the machine cannot hold them
   * @throws NodeStartException as soon as a node's process ends; then none of them is left, unless
   *     it was to replace another node: the others run on
   */
  public static Optional<Cluster> resume(Path home, StartListener listener)
      throws IOException, InterruptedException {
    Optional<Cluster> recorded = recorded(home);
    if (recorded.isPresent()) {
      Cluster cluster = recorded.get();
      if (!cluster.isRunning()) {
        Preflight.require(cluster.spec);
        cluster.own();
      }
      List<Node> dead = cluster.members().stream().filter(node -> !node.isAlive()).toList();
      cluster.bringUp(Replacements.without(dead), Replacements::onItsData, listener);
      cluster.bringUp(Replacements.among(dead), Replacements::onItsData, listener);
    }
    return recorded;
  }

  /** The cluster recorded under {@code home} if at least one of its nodes runs. Not owned. */
  public static Optional<Cluster> attach(Path home) {
    return recorded(home).filter(Cluster::isRunning);
  }

  /** The cluster recorded under {@code home}, running or not. Not owned. */
  public static Optional<Cluster> recorded(Path home) {
    try {
      return ClusterState.read(home).map(Cluster::of);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  static Cluster fresh(ClusterSpec spec) {
    Cluster cluster = new Cluster(spec);
    NodeLayout.of(spec).forEach(layout -> cluster.nodes.add(new Node(cluster, layout, null)));
    cluster.own();
    return cluster;
  }

  private static Cluster of(ClusterState state) {
    Cluster cluster = new Cluster(state.spec());
    cluster.record.note(state);
    for (ClusterState.Member member : state.members()) {
      cluster.nodes.add(new Node(cluster, member));
    }
    return cluster;
  }

  public ClusterSpec spec() {
    return spec;
  }

  /**
   * Changes the plugin jar of nodes that are started from now on; running ones keep theirs. So a
   * plugin is installed, exchanged or removed node by node.
   *
   * @param jar null for stock Cassandra
   */
  public synchronized void usePlugin(@Nullable Path jar) {
    spec = spec.withPluginJar(jar);
    save();
  }

  /** Every node, dead ones too, in index order. */
  public List<Node> nodes() {
    return List.copyOf(nodes);
  }

  /** The nodes of the ring, dead ones too: not those that have left or were replaced. */
  public List<Node> members() {
    return Replacements.members(nodes);
  }

  /** Whether another node has its tokens, or is about to take them. */
  public boolean isReplaced(Node node) {
    return Replacements.isReplaced(node, nodes);
  }

  /** The node with an index, from 1 on. */
  public Node node(int index) {
    return nodes.stream()
        .filter(node -> node.index() == index)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no node " + index + "; there are nodes 1 to " + nodes.size()));
  }

  /** True if at least one node runs. */
  public boolean isRunning() {
    return nodes.stream().anyMatch(Node::isAlive);
  }

  /**
   * Bootstraps one more node into the ring; returns when it owns its ranges.
   *
   * @throws NodeStartException if it does not come up; it stays recorded and can be started again
   */
  public Node addNode(Location where, StartListener listener) {
    return join(where, new Join.Bootstrap(List.of()), listener);
  }

  /** As {@link #addNode}, with chosen tokens, as many as each node has. */
  public Node addNode(Location where, List<Long> tokens, StartListener listener) {
    return join(where, new Join.Bootstrap(tokens), listener);
  }

  /** As {@link #addNode}, but the node stays in write survey until {@code nodetool join}. */
  public Node addSurveyNode(Location where, StartListener listener) {
    return join(where, new Join.Survey(), listener);
  }

  /** Puts a new node, on a new address, in the place of a dead one, whose tokens it takes. */
  public Node replaceNode(int deadIndex, StartListener listener) {
    Node dead = node(deadIndex);
    if (dead.isAlive()) {
      throw new IllegalStateException(dead + " runs; only a dead node can be replaced");
    }
    Replacements.requireOwner(dead, nodes);
    return join(dead.location(), new Join.Replace(dead.address()), listener);
  }

  /** Leaves the nodes running when this JVM ends. */
  public void detach() {
    exit.close();
  }

  /**
   * Stops every node; returns when no process is left. Nodes that all stop at once wait in vain for
   * one another's answers, so after a few seconds they are killed: what they did not flush is in
   * their commit logs. Those with a store in memory alone get the time to write it.
   */
  @Override
  public void close() {
    RemovedNodes.note(nodes);
    stopAll(spec.losesDataWhenKilled() ? SPILL_LIMIT : STOP_LIMIT);
    detach();
    save();
  }

  /** Kills every node and deletes its data, its logs and the record of the cluster. */
  public void purge() {
    nodes.forEach(Node::end);
    detach();
    try {
      state().delete();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + spec.home(), e);
    }
  }

  synchronized void restart(Node node, StartListener listener) {
    if (node.isAlive()) {
      throw new IllegalStateException(node + " already runs");
    }
    Replacements.requireOwner(node, nodes);
    RemovedNodes.refuse(node, nodes);
    try (ExitHook killed = ExitHook.arm(node::end)) {
      Join join = node.layout().hasData() ? Replacements.onItsData(node) : rejoin(node);
      launch(node, join, listener);
      Readiness.awaitServing(List.of(node), join.streams() ? JOIN_LIMIT : START_LIMIT, listener);
      awaitAgreement(List.of(node));
    }
  }

  /** Returns when these nodes and others that run see one another and have the same schema. */
  void awaitAgreement(List<Node> needed) {
    Readiness.awaitAgreement(
        nodes.stream().filter(node -> needed.contains(node) || node.isRunning()).toList());
  }

  private synchronized Node join(Location where, Join join, StartListener listener) {
    int index = ClusterRecord.claimIndex(spec, nodes);
    String replaces = join instanceof Join.Replace replace ? replace.deadAddress() : null;
    Node node = new Node(this, NodeLayout.of(spec, index, where, join.tokens()), replaces);
    nodes.add(node);
    launch(node, join, listener);
    Readiness.awaitServing(List.of(node), JOIN_LIMIT, listener);
    if (!(join instanceof Join.Survey)) {
      awaitAgreement(List.of(node));
    }
    return node;
  }

  synchronized void bringUp(
      List<Node> starting, Function<Node, Join> joins, StartListener listener) {
    try {
      Duration limit = START_LIMIT;
      for (Node node : starting) {
        Join join = joins.apply(node);
        launch(node, join, listener);
        limit = join.streams() ? JOIN_LIMIT : limit;
      }
      Readiness.awaitServing(starting, limit, listener);
      awaitAgreement(starting);
    } catch (RuntimeException | Error failure) {
      starting.forEach(Node::end);
      detach();
      save();
      throw failure;
    }
  }

  private void launch(Node node, Join join, StartListener listener) {
    save(); // who kills this JVM from now on is to find the node
    try {
      node.launch(join, Seeds.of(nodes, node, join));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot launch " + node, e);
    }
    save();
    listener.launched(node.index(), node.pid());
  }

  // tokens of an emptied node are known to the others; alone, it can only begin anew
  private Join rejoin(Node node) {
    return !isRunning() ? new Join.Fresh() : new Join.Rejoin(node.address());
  }

  private void stopAll(Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    nodes.forEach(Node::terminate);
    nodes.forEach(node -> node.awaitStopped(Duration.ofNanos(deadline - System.nanoTime())));
  }

  void save() {
    record.write(state());
  }

  private ClusterState state() {
    return new ClusterState(spec, nodes.stream().map(Node::member).toList());
  }

  private void own() {
    exit = ExitHook.arm(() -> stopAll(EXIT_LIMIT));
  }
}
