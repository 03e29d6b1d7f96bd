package io.counterpart.cluster;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.NodeLayout;
import io.counterpart.cluster.layout.Ports;
import io.counterpart.process.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Two recorded nodes whose processes run and answer nobody. */
final class SleepingNodes implements AutoCloseable {
  private final List<Process> processes = new ArrayList<>();
  private final Cluster cluster;

  SleepingNodes(Path home, Ports ports) throws IOException {
    ClusterSpec spec =
        ClusterSpec.builder(home).nodes(2).serverLib(Path.of("/lib")).ports(ports).build();
    List<ClusterState.Member> members = new ArrayList<>();
    for (NodeLayout layout : NodeLayout.of(spec)) {
      Process process = new ProcessBuilder("sleep", "60").start();
      processes.add(process);
      ProcessIdentity identity = ProcessIdentity.of(process.pid()).orElseThrow();
      members.add(new ClusterState.Member(layout, identity, Map.of(), null));
    }
    new ClusterState(spec, members).write();
    cluster = Cluster.recorded(home).orElseThrow();
  }

  Cluster cluster() {
    return cluster;
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
  }
}
