package io.counterpart.cluster;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.Join;
import io.counterpart.process.ExitHook;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;

/** Starts one stock node in the place of node 1 to produce the class archive. */
final class Rehearsal {
  private Rehearsal() {}

  /**
   * @return false if the node did not start
   */
  static boolean record(ClusterSpec spec, Path archive) {
    Cluster cluster =
        Cluster.fresh(
            ClusterSpec.builder(spec.home())
                .nodes(1)
                .heapMegabytes(spec.heapMegabytes())
                .serverLib(spec.serverLib())
                .ports(spec.ports())
                .jvmOptions(ClassArchive.recordingOptions(archive))
                .build());
    try {
      cluster.bringUp(cluster.nodes(), node -> new Join.Fresh(), StartListener.SILENT);
      cluster.nodes().forEach(Node::stop);
    } catch (NodeStartException alsoToCome) {
      // the start of the whole cluster meets the same cause, and keeps its logs
      return false;
    } finally {
      cluster.purge();
    }
    if (ExitHook.isJvmExiting()) {
      throw new CancellationException("this JVM is exiting");
    }
    return true;
  }
}
