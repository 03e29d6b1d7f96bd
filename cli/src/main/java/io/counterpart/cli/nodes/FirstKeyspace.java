package io.counterpart.cli.nodes;

import com.datastax.oss.driver.api.core.CqlSession;
import io.counterpart.cli.cql.Sessions;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Node;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The keyspace that {@code up} creates, so that tables can be created at once. */
final class FirstKeyspace {

  static final String NAME = "app";

  private FirstKeyspace() {}

  static void create(Cluster cluster, int replicationFactor) {
    Node node = cluster.nodes().stream().filter(Node::isAlive).findFirst().orElseThrow();
    try (CqlSession session = Sessions.open(node.address(), node.cqlPort())) {
      session.execute(statement(cluster, replicationFactor));
    }
  }

  private static String statement(Cluster cluster, int replicationFactor) {
    Map<String, Integer> nodesByDc = new TreeMap<>();
    cluster.members().forEach(node -> nodesByDc.merge(node.location().dc(), 1, Integer::sum));
    return "CREATE KEYSPACE IF NOT EXISTS "
        + NAME
        + " WITH replication = {'class': 'NetworkTopologyStrategy', "
        + nodesByDc.entrySet().stream()
            .map(dc -> "'" + dc.getKey() + "': " + Math.min(replicationFactor, dc.getValue()))
            .collect(Collectors.joining(", "))
        + "}";
  }
}
