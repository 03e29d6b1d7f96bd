package io.counterpart.lab.remote;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import io.counterpart.lab.setup.RunRefusedException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Reads the ring of a whole cluster, all datacenters, and the bytes of its tables. Touches nothing.
 */
public final class RingSurvey {
  private final CqlSession session;
  private final Metadata metadata;
  private final RemoteAccess access;

  private RingSurvey(CqlSession session, RemoteAccess access) {
    this.session = session;
    this.access = access;
    metadata = session.getMetadata();
  }

  /**
   * Looks at the cluster of some contact points, for the bytes of its tables above all.
   *
   * @param keyspaces their names; empty for all that are not Cassandra's own
   * @throws RunRefusedException if it cannot be reached, has another partitioner, lacks a keyspace,
   *     or no node says what its tables weigh
   */
  public static ClusterRing of(RemoteAccess access, List<String> keyspaces) {
    ClusterRing found = look(access, keyspaces);
    if (!found.tables().isEmpty()
        && found.tables().stream().allMatch(table -> table.bytesByNode().isEmpty())) {
      throw new RunRefusedException(
          "no node says what its tables weigh: JMX answers on none of "
              + String.join(", ", found.unweighed())
              + " (--jmx-port, --jmx-user, --jmx-tls; LOCAL_JMX=no in cassandra-env.sh opens it to"
              + " other machines)");
    }
    return found;
  }

  /**
   * As {@link #of}, but content without bytes: nodes that do not give theirs are told.
   *
   * @throws RunRefusedException if the cluster cannot be reached, has another partitioner or lacks
   *     a keyspace, or one that was asked for has a strategy that is not known here
   */
  public static ClusterRing look(RemoteAccess access, List<String> keyspaces) {
    RemoteTls tls = access.tls();
    if (tls != null) {
      tls.prepareJmx();
    }
    return read(access, survey -> survey.read(keyspaces));
  }

  /**
   * The ring alone: neither keyspaces, some of which may not be known here, nor bytes.
   *
   * @throws RunRefusedException if the cluster cannot be reached or has another partitioner
   */
  public static TokenRing ring(RemoteAccess access) {
    return read(access, survey -> survey.ring(survey.nodes()));
  }

  private static <T> T read(RemoteAccess access, Function<RingSurvey, T> reading) {
    try (CqlSession session = SurveySession.open(access)) {
      return reading.apply(new RingSurvey(session, access));
    } catch (AllNodesFailedException e) {
      throw new RunRefusedException("the cluster does not answer: " + SurveySession.reasons(e));
    } catch (DriverException e) {
      throw new RunRefusedException("the cluster cannot be looked at: " + e.getMessage());
    }
  }

  /** By address. */
  private Map<String, Node> nodes() {
    Map<String, Node> nodes = new TreeMap<>();
    for (Node node : metadata.getNodes().values()) {
      nodes.put(address(node), node);
    }
    return nodes;
  }

  private ClusterRing read(List<String> keyspaces) {
    Map<String, Node> nodes = nodes();
    TokenRing ring = ring(nodes);
    Map<String, String> storageAddresses = storageAddresses(nodes);
    Map<String, Replication> replications = new TreeMap<>();
    List<SchemaTable> tables = new ArrayList<>();
    for (KeyspaceMetadata keyspace : chosen(keyspaces)) {
      String name = keyspace.getName().asInternal();
      SchemaReplication.of(keyspace, storageAddresses)
          .ifPresentOrElse(
              replication -> {
                replications.put(name, replication);
                tables.addAll(SchemaTable.of(keyspace, replication));
              },
              () -> requireNotNamed(name, keyspaces));
    }
    NodeWeights weights = NodeWeights.of(session, access, nodes, tables);
    return new ClusterRing(
        metadata.getClusterName().orElse("unknown"),
        ring,
        replications,
        tables.stream().map(weights::load).toList(),
        weights.silent(),
        weights.unweighed());
  }

  private static void requireNotNamed(String keyspace, List<String> named) {
    if (named.contains(keyspace)) {
      throw new RunRefusedException(
          "keyspace %s: its replication is none of %s"
              .formatted(keyspace, SchemaReplication.KNOWN));
    }
  }

  /** {@code ip:port} by name, as nodes know each other: PorStrategy hashes these. */
  private static Map<String, String> storageAddresses(Map<String, Node> nodes) {
    Map<String, String> addresses = new TreeMap<>();
    nodes.forEach(
        (name, node) ->
            node.getBroadcastAddress().ifPresent(storage -> addresses.put(name, text(storage))));
    return addresses;
  }

  private static String text(InetSocketAddress address) {
    String ip = address.getAddress().getHostAddress();
    return (ip.contains(":") ? "[" + ip + "]" : ip) + ":" + address.getPort();
  }

  private List<KeyspaceMetadata> chosen(List<String> names) {
    Map<String, KeyspaceMetadata> all = new TreeMap<>();
    // the driver leaves out Cassandra's own by default
    for (KeyspaceMetadata keyspace : metadata.getKeyspaces().values()) {
      if (!keyspace.isVirtual()) {
        all.put(keyspace.getName().asInternal(), keyspace);
      }
    }
    Set<String> unknown = new TreeSet<>(names);
    unknown.removeAll(all.keySet());
    if (!unknown.isEmpty()) {
      throw new RunRefusedException(
          "keyspace %s: the cluster has %s"
              .formatted(String.join(", ", unknown), String.join(", ", all.keySet())));
    }
    return all.entrySet().stream()
        .filter(entry -> names.isEmpty() || names.contains(entry.getKey()))
        .map(Map.Entry::getValue)
        .toList();
  }

  private TokenRing ring(Map<String, Node> nodes) {
    TokenMap tokens =
        metadata
            .getTokenMap()
            .filter(map -> map.getPartitionerName().endsWith("Murmur3Partitioner"))
            .orElseThrow(
                () -> new RunRefusedException("rings of Murmur3Partitioner alone are read"));
    List<RingNode> members = new ArrayList<>();
    nodes.forEach(
        (address, node) -> {
          List<Long> own =
              tokens.getTokens(node).stream()
                  .map(token -> Long.valueOf(tokens.format(token)))
                  .toList();
          // one that is joining has none yet
          if (!own.isEmpty()) {
            members.add(
                new RingNode(
                    address,
                    String.valueOf(node.getDatacenter()),
                    String.valueOf(node.getRack()),
                    own));
          }
        });
    return TokenRing.of(members);
  }

  private static String address(Node node) {
    try {
      return NodeSurvey.address(node).getHostAddress();
    } catch (NodeSurvey.Obstacle e) {
      throw new RunRefusedException(String.valueOf(e.getMessage()));
    }
  }
}
