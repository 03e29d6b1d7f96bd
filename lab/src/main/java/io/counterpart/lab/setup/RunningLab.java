package io.counterpart.lab.setup;

import com.datastax.oss.driver.api.core.CqlSession;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.workload.LabSession;
import java.io.IOException;

/**
 * A lab's cluster while it runs: its nodes, a session, and where tables are made. Closing it ends
 * the processes.
 */
public final class RunningLab implements AutoCloseable {
  private final ThrowawayCluster cluster;
  private final ConnectedNodes nodes;
  private final CqlSession session;

  private RunningLab(ThrowawayCluster cluster, ConnectedNodes nodes, CqlSession session) {
    this.cluster = cluster;
    this.nodes = nodes;
    this.session = session;
  }

  /** Starts the nodes; returns when all serve. Leaves none behind if it fails. */
  public static RunningLab start(LabCluster lab, Progress progress)
      throws IOException, InterruptedException {
    progress.say("starting %d Cassandra nodes".formatted(lab.nodes()));
    ThrowawayCluster cluster = ThrowawayCluster.start(lab);
    try {
      return new RunningLab(
          cluster, new ConnectedNodes(cluster.nodes()), LabSession.open(cluster.nodes()));
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
    return session;
  }

  /** Creates and drops tables, replicated as the lab does unless said otherwise. */
  public TableSetup tables() {
    return tables(LabCluster.REPLICATION_FACTOR);
  }

  /** Creates and drops tables of a replication factor. */
  public TableSetup tables(int replicationFactor) {
    return new TableSetup(session, nodes.nodes().get(0).location().dc(), replicationFactor);
  }

  @Override
  public void close() {
    session.close();
    nodes.close();
    cluster.close();
  }
}
