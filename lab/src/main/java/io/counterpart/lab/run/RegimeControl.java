package io.counterpart.lab.run;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.cgroup.ControlGroup;
import io.counterpart.cluster.cgroup.ControlGroups;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.measure.TableProbe;
import io.counterpart.lab.plan.Disturbance;
import io.counterpart.lab.plan.Regime;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.ServerShape;
import io.counterpart.process.Disk;
import io.counterpart.process.ProcessIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Imposes a regime on servers, through one control group for the nodes of each. Where the system
 * allows no groups, or somebody else runs the nodes, it says so once and limits nothing.
 *
 * <p>A node joins its group as soon as this is made, before any data: page cache counts where it is
 * first touched. Its heap should be touched already ({@code AlwaysPreTouch}). Its memory outside
 * the heap still grows, so the limits follow it several times a second; growth in between comes out
 * of its page cache, which is therefore never below {@link Regime#LEAST_CACHE_BYTES}. A recently
 * restarted node grows faster than that, so only its disk reads are limited.
 */
final class RegimeControl implements AutoCloseable {
  private static final int FOLLOW_MILLIS = 250;

  private final ConnectedNodes nodes;
  private final ServerShape servers;
  private final Map<Integer, ControlGroup> groups = new LinkedHashMap<>();
  private final Map<Integer, Long> cacheBytes = new LinkedHashMap<>();
  private final boolean available;
  private final String obstacle;
  private final ScheduledExecutorService follower =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "regime");
            thread.setDaemon(true);
            return thread;
          });
  private Regime current = Regime.UNLIMITED;
  private boolean slowed;
  private int restartedLast;

  /** Takes the nodes that run into groups. */
  RegimeControl(ConnectedNodes nodes, ServerShape servers, boolean needed, Progress progress) {
    this.nodes = nodes;
    this.servers = servers;
    Optional<ControlGroups> writable =
        needed && nodes.areLocal() ? ControlGroups.writable() : Optional.empty();
    available = writable.isPresent();
    obstacle =
        nodes.areLocal() ? "control groups are not writable" : "the nodes are not this lab's";
    try {
      if (writable.isPresent()) {
        for (Node node : nodes.local()) {
          int server = server(node);
          if (!groups.containsKey(server)) {
            groups.put(
                server,
                writable
                    .get()
                    .create("counterpart-%d-%s%d".formatted(pid(), servers.name(), server)));
          }
          join(Objects.requireNonNull(groups.get(server)), node);
        }
      } else if (needed) {
        progress.say(obstacle + ": runs without limits on cache and disk, and the result says so");
      }
    } catch (IOException e) {
      close();
      throw new UncheckedIOException("cannot use control groups", e);
    }
    follower.scheduleWithFixedDelay(
        this::follow, FOLLOW_MILLIS, FOLLOW_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** What a regime is here, for people: what it says, or why it is not. */
  String describe(Regime regime) {
    if (regime.isLimited() && !available) {
      return "not limited: " + obstacle;
    }
    String each =
        byServer().keySet().stream()
            .map(server -> regime.beside(servers.entriesMebibytes(server)).describe())
            .distinct()
            .collect(Collectors.joining(", or "));
    return each.isEmpty() ? regime.describe() : each;
  }

  /** The same with what goes wrong meanwhile. */
  String describe(Regime regime, Disturbance disturbance) {
    boolean slow = disturbance.hasSlowNode() && available;
    String wrong = slow ? disturbance.describe() : disturbance.pausesAlone().describe();
    String missing = disturbance.hasSlowNode() && !slow ? "; no slow node: " + obstacle : "";
    return describe(regime) + missing + (wrong.isEmpty() ? "" : "; " + wrong);
  }

  /** Slows the disk of one node, until limits are next applied or lifted. */
  synchronized void slow(Disturbance disturbance) {
    for (Node node : nodes.local()) {
      ControlGroup group = groups.get(server(node));
      if (group != null && node.index() == disturbance.node()) {
        limitReads(node, group, disturbance.readsPerSecond());
        slowed = true;
      }
    }
  }

  /**
   * A restarted node is a new process. To be called once it serves: the pages of its code must not
   * count here, or they would be dropped with the data's and read again under the limit. Nothing
   * may be limited when a node stops and when it starts.
   */
  synchronized void joinAgain(Node node) {
    restartedLast = server(node);
    ControlGroup group = groups.get(restartedLast);
    if (group != null) {
      run(() -> join(group, node));
    }
  }

  /** With the servers of its engines. */
  private static void join(ControlGroup group, Node node) throws IOException {
    for (ProcessIdentity process : node.processes()) {
      group.add(process.pid());
    }
  }

  /**
   * Limits every server for the table that is worked on next. Nodes that were not limited before
   * lose what they have cached, so that the first block of a regime owes nothing to what came
   * before.
   */
  synchronized void apply(Regime regime, TableProbe table) {
    if (!regime.isLimited()) {
      lift();
      return;
    }
    byServer()
        .forEach(
            (server, members) -> {
              ControlGroup group = groups.get(server);
              if (group != null) {
                long bytes = members.stream().mapToLong(table::liveBytes).sum();
                Regime here = regime.beside(servers.entriesMebibytes(server));
                cacheBytes.put(server, here.cacheBytes(bytes));
                if (!current.isLimited()) {
                  run(group::dropCache);
                }
                run(() -> group.limitMemory(limit(server, group)));
                limitReads(members.get(0), group, regime.readsPerSecond());
              }
            });
    current = regime;
    slowed = false;
  }

  /**
   * Lets all nodes read as fast as the disk can, until limits are next applied; their page cache
   * stays as it is. For work that nobody waits for.
   */
  synchronized void hasten() {
    if (!current.isLimited()) {
      return;
    }
    byServer()
        .forEach(
            (server, members) -> {
              ControlGroup group = groups.get(server);
              if (group != null) {
                limitReads(members.get(0), group, Regime.UNLIMITED.readsPerSecond());
              }
            });
  }

  /** Gives every node all of the machine again. */
  synchronized void lift() {
    if (!current.isLimited() && !slowed) {
      return;
    }
    current = Regime.UNLIMITED;
    slowed = false;
    byServer()
        .forEach(
            (server, members) -> {
              ControlGroup group = groups.get(server);
              if (group != null) {
                run(() -> group.limitMemory(0));
                limitReads(members.get(0), group, current.readsPerSecond());
              }
            });
  }

  private static void limitReads(Node node, ControlGroup group, int perSecond) {
    run(() -> group.limitReads(Disk.of(node.dataDirectory()).whole(), perSecond));
  }

  /**
   * Memory of a server's processes beside page cache, on average of the servers; 0 where the nodes
   * are not this lab's.
   */
  long processBytes() {
    int count = byServer().size();
    long bytes =
        nodes.local().stream()
            .flatMap(node -> node.processes().stream())
            .mapToLong(ProcessIdentity::anonymousBytes)
            .sum();
    return count == 0 ? 0 : bytes / count;
  }

  private synchronized void follow() {
    byServer()
        .forEach(
            (server, members) -> {
              ControlGroup group = groups.get(server);
              if (current.isLimited()
                  && group != null
                  && members.stream().allMatch(Node::isAlive)) {
                follow(server, group);
              }
            });
  }

  private void follow(int server, ControlGroup group) {
    try {
      run(() -> group.limitMemory(limit(server, group)));
    } catch (UncheckedIOException nodeHasEnded) {
      return;
    }
  }

  private Map<Integer, List<Node>> byServer() {
    return nodes.local().stream()
        .collect(Collectors.groupingBy(this::server, TreeMap::new, Collectors.toList()));
  }

  private int server(Node node) {
    return servers.serverOf(node.index());
  }

  private long limit(int server, ControlGroup group) throws IOException {
    long cache = cacheBytes.getOrDefault(server, 0L);
    boolean grows = server == restartedLast;
    return cache == 0 || grows ? 0 : group.residentBytes() + cache;
  }

  @Override
  public void close() {
    follower.shutdownNow();
    groups.values().forEach(ControlGroup::close);
  }

  /** What may fail on the way to the kernel. */
  private interface KernelCall {
    void run() throws IOException;
  }

  private static void run(KernelCall call) {
    try {
      call.run();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot limit a node", e);
    }
  }

  private static long pid() {
    return ProcessHandle.current().pid();
  }
}
