package io.counterpart.cluster;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.Join;
import io.counterpart.cluster.layout.NodeFiles;
import io.counterpart.cluster.layout.NodeLayout;
import io.counterpart.cluster.layout.StartupLog;
import io.counterpart.cluster.server.NodeServers;
import io.counterpart.cluster.server.ServerStartException;
import io.counterpart.process.ProcessIdentity;
import java.io.File;
import java.io.IOException;
import java.util.List;

/** Creates a node's files and process, and before it the servers that its engines need. */
final class NodeLauncher {

  private NodeLauncher() {}

  static ProcessIdentity launch(
      ClusterSpec spec, NodeLayout node, NodeServers servers, Join join, List<String> seeds)
      throws IOException {
    try {
      servers.start();
    } catch (ServerStartException e) {
      throw new NodeStartException(node.index(), String.valueOf(e.getMessage()), node.console());
    }
    NodeFiles.write(spec.configured(NodeServers.parameters(spec, node)), node, join, seeds);
    StartupLog.begin(node);
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
