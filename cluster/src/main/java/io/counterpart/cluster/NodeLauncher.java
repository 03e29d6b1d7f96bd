package io.counterpart.cluster;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.Join;
import io.counterpart.cluster.layout.NodeFiles;
import io.counterpart.cluster.layout.NodeLayout;
import io.counterpart.process.ProcessIdentity;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** Creates a node's files and process. */
final class NodeLauncher {

  private NodeLauncher() {}

  static ProcessIdentity launch(ClusterSpec spec, NodeLayout node, Join join, List<String> seeds)
      throws IOException {
    NodeFiles.write(spec, node, join, seeds);
    // a failed start must be explained by its own log, not by that of an older one
    Files.deleteIfExists(node.systemLog());
    ProcessBuilder builder =
        new ProcessBuilder(NodeCommandLine.server(spec, node, join.systemProperties()))
            .directory(node.directory().toFile())
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(node.console().toFile());
    builder.environment().putAll(spec.environment());
    Process process = builder.start();
    return ProcessIdentity.of(process.pid())
        .orElseThrow(
            () -> new NodeStartException(node.index(), StartupLog.cause(node), node.console()));
  }
}
