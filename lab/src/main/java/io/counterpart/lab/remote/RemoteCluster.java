package io.counterpart.lab.remote;

import com.datastax.oss.driver.api.core.CqlSession;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.setup.ClusterNeeds;
import io.counterpart.lab.setup.ClusterSource;
import io.counterpart.lab.setup.OwnKeyspaces;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.RunRefusedException;
import io.counterpart.lab.setup.RunningLab;
import io.counterpart.lab.setup.WantedNodes;
import io.counterpart.lab.workload.LabSession;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A cluster that somebody else runs. The lab starts, stops and sets nothing there; all that a run
 * makes are keyspaces, and it drops them at its end.
 */
public final class RemoteCluster implements ClusterSource {
  private static final String SERIES = "5.0.";

  private final RemoteAccess access;
  private final Survey.Findings findings;

  RemoteCluster(RemoteAccess access, Survey.Findings findings) {
    this.access = access;
    this.findings = findings;
  }

  /**
   * Looks at a cluster.
   *
   * @throws RunRefusedException if it does not answer, or is not one that the lab can measure
   */
  public static RemoteCluster survey(RemoteAccess access) {
    return new RemoteCluster(access, Survey.of(access));
  }

  @Override
  public OptionalInt fixedNodes() {
    return OptionalInt.of(findings.nodes().size());
  }

  /** None: an engine is configured in cassandra.yaml, which is somebody else's. */
  @Override
  public Set<String> engines() {
    return Set.of();
  }

  @Override
  public RemoteCluster with(Map<String, Object> settings) {
    if (!settings.isEmpty()) {
      throw new RunRefusedException(
          "cassandra.yaml (%s): nodes that are not this lab's are not set; set them yourself"
              .formatted(String.join(", ", settings.keySet())));
    }
    return this;
  }

  @Override
  public void require(ClusterNeeds needs, Progress progress) {
    requireVersion();
    requireNoLeftovers();
    if (needs.replicationFactor() > findings.nodes().size()) {
      throw new RunRefusedException(
          "replication factor %d: datacenter %s has %d nodes"
              .formatted(
                  needs.replicationFactor(), findings.datacenter(), findings.nodes().size()));
    }
    if (needs.plugin()) {
      requirePlugin();
    }
    progress.say("data: %s; %s".formatted(needs.describeData(), RemoteDescription.DISK_SPACE));
  }

  private void requireVersion() {
    List<String> others = nodes(node -> !node.cassandra().startsWith(SERIES));
    if (!others.isEmpty()) {
      throw new RunRefusedException(
          "%s: not Cassandra %sx, as the lab needs".formatted(String.join(", ", others), SERIES));
    }
  }

  private void requireNoLeftovers() {
    List<String> there = findings.labKeyspaces();
    if (!there.isEmpty()) {
      throw new RunRefusedException(
          "the cluster has keyspaces of a lab already (%s): another run is under way, or one was killed. If nobody needs them: %s"
              .formatted(
                  String.join(", ", there),
                  there.stream()
                      .map(name -> "DROP KEYSPACE " + name)
                      .collect(Collectors.joining("; "))));
    }
  }

  private void requirePlugin() {
    List<String> without = nodes(node -> node.plugins().isEmpty());
    if (!without.isEmpty()) {
      throw new RunRefusedException(
          "the plugin is missing on %s: ./counterpart install --into the lib directory there, then restart"
              .formatted(String.join(", ", without)));
    }
    if (findings.nodes().stream().map(SurveyedNode::plugins).distinct().count() > 1) {
      throw new RunRefusedException(
          "the nodes have different plugins: "
              + findings.nodes().stream()
                  .map(node -> node.node().address() + " " + String.join(" and ", node.plugins()))
                  .collect(Collectors.joining(", ")));
    }
  }

  private List<String> nodes(Predicate<SurveyedNode> which) {
    return findings.nodes().stream()
        .filter(which)
        .map(node -> "%s (Cassandra %s)".formatted(node.node(), node.cassandra()))
        .toList();
  }

  @Override
  public RunningLab open(WantedNodes wanted, Progress progress) {
    progress.say(
        "working on cluster %s, datacenter %s, %d nodes that are not this lab's"
            .formatted(findings.name(), findings.datacenter(), findings.nodes().size()));
    CqlSession session = LabSession.open(access.addresses(), findings.datacenter(), access::admit);
    OwnKeyspaces keyspaces = new OwnKeyspaces(session);
    ConnectedNodes connected =
        new ConnectedNodes(findings.nodes().stream().map(SurveyedNode::node).toList());
    KeyspaceRemoval removal = KeyspaceRemoval.upTo(keyspaces, progress);
    return new RunningLab(
        connected,
        keyspaces,
        RemoteDescription.of(findings, access),
        () -> {
          removal.close();
          session.close();
          connected.close();
        });
  }
}
