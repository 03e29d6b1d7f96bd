package io.counterpart.lab.run;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.cgroup.ControlGroup;
import io.counterpart.cluster.cgroup.ControlGroups;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.measure.TableProbe;
import io.counterpart.lab.setup.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Puts nodes under a regime by a control group each. Where the system lets us make none, it says so
 * once and limits nothing.
 *
 * <p>A node joins its group as soon as this is made, before any data: page cache counts where it is
 * first touched. Its heap should be touched already ({@code AlwaysPreTouch}), so that it does not
 * grow into the limit during a block. Used by one thread.
 */
final class RegimeControl implements AutoCloseable {
  private final ConnectedNodes nodes;
  private final Map<Integer, ControlGroup> groups = new LinkedHashMap<>();
  private final boolean available;
  private Regime current = Regime.UNLIMITED;

  /** Takes the nodes that run into groups. */
  RegimeControl(ConnectedNodes nodes, boolean needed, Progress progress) {
    this.nodes = nodes;
    Optional<ControlGroups> writable = needed ? ControlGroups.writable() : Optional.empty();
    available = writable.isPresent();
    try {
      if (writable.isPresent()) {
        for (Node node : nodes.nodes()) {
          ControlGroup group =
              writable.get().create("counterpart-%d-%d".formatted(pid(), node.index()));
          groups.put(node.index(), group);
          group.add(node.pid());
        }
      } else if (needed) {
        progress.say(
            "control groups are not writable here: runs without limits, and the result says so");
      }
    } catch (IOException e) {
      close();
      throw new UncheckedIOException("cannot use control groups", e);
    }
  }

  /** Whether regimes are more than words here. */
  boolean available() {
    return available;
  }

  /** A restarted node is a new process. */
  void joinAgain(Node node) {
    ControlGroup group = groups.get(node.index());
    if (group != null) {
      run(() -> group.add(node.pid()));
    }
  }

  /**
   * Limits every node for the table that is worked on next. What a node holds beside page cache
   * drifts, so a regime is applied before each block.
   */
  void apply(Regime regime, TableProbe table) {
    if (!regime.isLimited() && !current.isLimited()) {
      return;
    }
    current = regime;
    for (Node node : nodes.nodes()) {
      ControlGroup group = groups.get(node.index());
      if (group != null) {
        run(
            () -> {
              long cache = (long) (regime.cacheFraction() * table.liveBytes(node));
              group.limitMemory(cache == 0 ? 0 : group.residentBytes() + cache);
              group.limitReads(
                  ControlGroup.deviceOf(node.dataDirectory()), regime.readsPerSecond());
            });
      }
    }
  }

  @Override
  public void close() {
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
