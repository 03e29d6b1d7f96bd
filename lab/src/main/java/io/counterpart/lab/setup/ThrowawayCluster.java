package io.counterpart.lab.setup;

import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.layout.ClusterSpec;
import java.io.IOException;
import java.util.List;

/**
 * A cluster whose data nobody needs afterwards. SIGKILL ends it, without the drain that costs a
 * loaded machine half a minute.
 */
public final class ThrowawayCluster implements AutoCloseable {
  private final Cluster cluster;

  private ThrowawayCluster(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Starts it; returns when all nodes serve. */
  public static ThrowawayCluster start(LabCluster lab) throws IOException, InterruptedException {
    return start(lab.spec());
  }

  /** The same of any cluster. */
  public static ThrowawayCluster start(ClusterSpec spec) throws IOException, InterruptedException {
    return new ThrowawayCluster(Cluster.start(spec, StartListener.SILENT));
  }

  /** Its nodes. */
  public List<Node> nodes() {
    return cluster.nodes();
  }

  @Override
  public void close() {
    cluster.nodes().parallelStream().forEach(Node::kill);
    cluster.close();
  }
}
