package io.counterpart.lab.setup;

import com.datastax.oss.driver.api.core.CqlSession;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.workload.LabSession;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A running cluster of the lab: its nodes, a session, and the tables' set-up. Closing it ends the
 * lab's own processes, and drops the lab's tables on a cluster of somebody else's.
 */
public final class RunningLab implements AutoCloseable {
  private final ConnectedNodes nodes;
  private final OwnKeyspaces keyspaces;
  private final Map<String, Object> description;
  private final Runnable end;
  private final @Nullable HandlerSwitches switches;

  /**
   * A cluster that serves.
   *
   * @param description entries of the result's configuration that are its own; they take the place
   *     of what the lab's clusters have in common
   * @param end what closing does
   */
  public RunningLab(
      ConnectedNodes nodes, OwnKeyspaces keyspaces, Map<String, Object> description, Runnable end) {
    this(nodes, keyspaces, description, end, null);
  }

  private RunningLab(
      ConnectedNodes nodes,
      OwnKeyspaces keyspaces,
      Map<String, Object> description,
      Runnable end,
      @Nullable HandlerSwitches switches) {
    this.nodes = nodes;
    this.keyspaces = keyspaces;
    this.description = description;
    this.end = end;
    this.switches = switches;
  }

  /** Starts the nodes; returns when all serve. Leaves none behind if it fails. */
  public static RunningLab start(LabCluster lab, Progress progress)
      throws IOException, InterruptedException {
    progress.say("starting %d Cassandra nodes".formatted(lab.nodes()));
    ThrowawayCluster cluster = ThrowawayCluster.start(lab);
    try {
      ConnectedNodes nodes = new ConnectedNodes(cluster.nodes());
      CqlSession session = LabSession.open(cluster.nodes());
      return new RunningLab(
          nodes,
          new OwnKeyspaces(session),
          Map.of("yaml", new TreeMap<>(lab.yaml())),
          () -> {
            // the tables go with the nodes
            session.close();
            nodes.close();
            cluster.close();
          },
          lab.decidesLevels() ? new HandlerSwitches(nodes) : null);
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** The nodes, with JMX. */
  public ConnectedNodes nodes() {
    return nodes;
  }

  /** A session on all of them. */
  public CqlSession session() {
    return keyspaces.session();
  }

  /**
   * Whether coordinators decide about the consistency levels of reads from now on. Those that can
   * do it from their start.
   *
   * @throws IllegalStateException if they shall, and were started without the handler that does it
   */
  public void decideLevels(boolean on) {
    if (switches != null) {
      switches.consistency(on);
    } else if (on) {
      throw new IllegalStateException(
          "levels of reads: the nodes were started without the consistency query handler");
    }
  }

  /** Entries of the result's configuration that are this cluster's own. */
  public Map<String, Object> description() {
    return description;
  }

  /** Creates and drops tables, replicated as the lab does unless said otherwise. */
  public TableSetup tables() {
    return tables(LabCluster.REPLICATION_FACTOR);
  }

  /** Creates and drops tables of a replication factor. */
  public TableSetup tables(int replicationFactor) {
    return new TableSetup(keyspaces, nodes.nodes().get(0).datacenter(), replicationFactor);
  }

  @Override
  public void close() {
    end.run();
  }
}
