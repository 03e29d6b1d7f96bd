package io.counterpart.lab.remote;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.setup.RunRefusedException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Surveys a whole cluster without changing anything. */
final class Survey {
  private static final String PARTITIONER = "Murmur3Partitioner";
  private static final int MOST_AT_ONCE = 16;
  private static final String REMEDY =
      ". Every node is measured over JMX, so all must be up and serve it: LOCAL_JMX=no in"
          + " cassandra-env.sh opens it to other machines after a restart (--jmx-user and"
          + " --jmx-password-file for the login that it then asks for, --jmx-tls if it is"
          + " encrypted); --jmx-port names another port";

  private final RemoteAccess access;
  private final CqlSession session;
  private final Metadata metadata;

  private Survey(RemoteAccess access, CqlSession session) {
    this.access = access;
    this.session = session;
    metadata = session.getMetadata();
  }

  /**
   * What a cluster says of itself.
   *
   * @param name the cluster's
   * @param datacenter that is worked in
   * @param nodes of that datacenter
   * @param labKeyspaces keyspaces that are there and are called like those of a lab
   * @param settings entries of cassandra.yaml that bear on measurements, as the first node runs
   */
  record Findings(
      String name,
      String datacenter,
      List<SurveyedNode> nodes,
      List<String> labKeyspaces,
      Map<String, Object> settings) {}

  /**
   * Looks at the cluster of some contact points.
   *
   * @throws RunRefusedException if it cannot be reached or is not one that the lab works with
   */
  static Findings of(RemoteAccess access) {
    RemoteTls tls = access.tls();
    if (tls != null) {
      tls.prepareJmx();
    }
    try (CqlSession session = SurveySession.open(access)) {
      return new Survey(access, session).findings();
    } catch (AllNodesFailedException e) {
      throw new RunRefusedException("the cluster does not answer: " + SurveySession.reasons(e));
    } catch (DriverException e) {
      throw new RunRefusedException("the cluster cannot be looked at: " + e.getMessage());
    }
  }

  private Findings findings() {
    String partitioner = metadata.getTokenMap().map(TokenMap::getPartitionerName).orElse("none");
    if (!partitioner.endsWith(PARTITIONER)) {
      throw new RunRefusedException(
          "partitioner %s: the lab reads rings of %s".formatted(partitioner, PARTITIONER));
    }
    requireKnownReplicas();
    if (!session.checkSchemaAgreement()) {
      throw new RunRefusedException(
          "the nodes disagree on the schema: see nodetool describecluster before anything is added");
    }
    String datacenter = datacenter();
    List<Node> members =
        metadata.getNodes().values().stream()
            .filter(node -> datacenter.equals(node.getDatacenter()))
            .sorted(Comparator.comparing(node -> node.getEndPoint().toString()))
            .toList();
    return new Findings(
        metadata.getClusterName().orElse("unnamed"),
        datacenter,
        look(members),
        labKeyspaces(),
        RemoteNodeSettings.of(session, members.get(0), LabCluster.settingNames()));
  }

  /** One keyspace under a strategy of ours, and the driver has the replicas of none. */
  private void requireKnownReplicas() {
    for (KeyspaceMetadata keyspace : metadata.getKeyspaces().values()) {
      if (SchemaReplication.isUnknownToDrivers(keyspace)) {
        throw new RunRefusedException(
            "keyspace %s is under a strategy of Counterpart: drivers then know the replicas of no keyspace, and"
                    .formatted(keyspace.getName().asInternal())
                + " the lab's clients need them");
      }
    }
  }

  private String datacenter() {
    Set<String> all = datacenters(metadata.getNodes().values());
    String wanted = access.datacenter();
    if (wanted != null) {
      if (!all.contains(wanted)) {
        throw new RunRefusedException(
            "datacenter '%s': the cluster has %s".formatted(wanted, String.join(", ", all)));
      }
      return wanted;
    }
    Set<InetSocketAddress> points = Set.copyOf(access.addresses());
    Set<String> ofPoints =
        datacenters(
            metadata.getNodes().values().stream()
                .filter(node -> points.contains(node.getEndPoint().resolve()))
                .toList());
    Set<String> possible = ofPoints.isEmpty() ? all : ofPoints;
    if (possible.size() != 1) {
      throw new RunRefusedException(
          "the contact points are in datacenters %s: choose one with --local-dc"
              .formatted(String.join(", ", possible)));
    }
    return possible.iterator().next();
  }

  private static Set<String> datacenters(Iterable<Node> nodes) {
    Set<String> names = new TreeSet<>();
    nodes.forEach(node -> names.add(String.valueOf(node.getDatacenter())));
    return names;
  }

  /** All of them at once; what is wrong is told of all of them at once, too. */
  private List<SurveyedNode> look(List<Node> members) {
    NodeSurvey survey = new NodeSurvey(session, access);
    ExecutorService pool = Executors.newFixedThreadPool(Math.min(MOST_AT_ONCE, members.size()));
    try {
      List<Future<SurveyedNode>> looks = new ArrayList<>();
      for (Node node : members) {
        int index = looks.size() + 1;
        looks.add(pool.submit(() -> survey.look(index, node)));
      }
      return outcomes(looks);
    } finally {
      pool.shutdownNow();
    }
  }

  private static List<SurveyedNode> outcomes(List<Future<SurveyedNode>> looks) {
    List<SurveyedNode> found = new ArrayList<>();
    List<String> obstacles = new ArrayList<>();
    for (Future<SurveyedNode> look : looks) {
      try {
        found.add(look.get());
      } catch (ExecutionException e) {
        obstacles.add(obstacle(e));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CancellationException("interrupted while the cluster is looked at");
      }
    }
    if (!obstacles.isEmpty()) {
      throw new RunRefusedException(String.join("; ", obstacles) + REMEDY);
    }
    return List.copyOf(found);
  }

  private static String obstacle(ExecutionException failure) {
    if (failure.getCause() instanceof NodeSurvey.Obstacle obstacle) {
      return String.valueOf(obstacle.getMessage());
    }
    throw new IllegalStateException("a node cannot be looked at", failure);
  }

  private List<String> labKeyspaces() {
    return session.execute("SELECT keyspace_name FROM system_schema.keyspaces").all().stream()
        .map(row -> String.valueOf(row.getString(0)))
        .filter(name -> name.startsWith(LabTable.KEYSPACE_PREFIX))
        .sorted()
        .toList();
  }
}
