package io.counterpart.cli.nodes;

import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.jmx.NodeJmx;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The live nodes' reports of themselves and of the ring. */
record Ring(Map<Integer, Member> members, Map<String, Double> ownsPercent) {

  private static final String STORAGE = "org.apache.cassandra.db:type=StorageService";
  private static final String LOAD = "org.apache.cassandra.metrics:type=Storage,name=Load";

  /**
   * @param mode operation mode, such as NORMAL
   */
  record Member(String mode, int tokens, long loadBytes) {}

  static Ring of(Cluster cluster) {
    Map<Integer, Member> members = new TreeMap<>();
    Map<String, Double> owns = new TreeMap<>();
    for (Node node : cluster.nodes()) {
      if (!node.isRunning()) {
        continue;
      }
      try (NodeJmx jmx = node.jmx()) {
        members.put(node.index(), member(jmx));
        if (owns.isEmpty()) {
          owns.putAll(ownership(jmx));
        }
      } catch (UncheckedIOException | IllegalArgumentException silent) {
        // shown as SILENT: a node that starts or stalls is no failure of this command
      }
    }
    return new Ring(members, owns);
  }

  Optional<Member> member(int index) {
    return Optional.ofNullable(members.get(index));
  }

  Optional<Double> ownsPercent(String address) {
    return Optional.ofNullable(ownsPercent.get(address));
  }

  private static Member member(NodeJmx jmx) {
    return new Member(
        (String) jmx.attribute(STORAGE, "OperationMode"),
        ((List<?>) jmx.attribute(STORAGE, "Tokens")).size(),
        ((Number) jmx.attribute(LOAD, "Count")).longValue());
  }

  private static Map<String, Double> ownership(NodeJmx jmx) {
    List<?> keyspaces = (List<?>) jmx.attribute(STORAGE, "NonSystemKeyspaces");
    Optional<String> user =
        keyspaces.stream()
            .map(String::valueOf)
            .filter(name -> !name.startsWith("system_"))
            .sorted()
            .findFirst();
    Object shares =
        user.map(
                name ->
                    jmx.invoke(
                        STORAGE,
                        "effectiveOwnership",
                        new Object[] {name},
                        new String[] {String.class.getName()}))
            .orElseGet(() -> jmx.attribute(STORAGE, "Ownership"));
    Map<String, Double> percent = new TreeMap<>();
    ((Map<?, ?>) shares)
        .forEach(
            (address, share) ->
                percent.put(
                    ((InetAddress) address).getHostAddress(),
                    ((Number) share).doubleValue() * 100));
    return percent;
  }
}
