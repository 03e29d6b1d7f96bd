package io.counterpart.core.recovery;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The ranges that a node keeps of one keyspace, by the role of its copy, each list in ring order.
 *
 * @param node the node's own endpoint
 * @param datacenter endpoints of the node's datacenter, of those that keep any range
 */
public record OwnedRanges(
    String node,
    Set<String> datacenter,
    List<ReplicatedRange> primary,
    List<ReplicatedRange> redundant) {

  /** Checks and copies. */
  public OwnedRanges {
    datacenter = Set.copyOf(datacenter);
    primary = List.copyOf(primary);
    redundant = List.copyOf(redundant);
  }

  /**
   * Picks the node's ranges out of the ring's.
   *
   * @param datacenters of every endpoint
   */
  public static OwnedRanges of(
      List<ReplicatedRange> ring, String node, Map<String, String> datacenters) {
    List<ReplicatedRange> primary = new ArrayList<>();
    List<ReplicatedRange> redundant = new ArrayList<>();
    String local = datacenters.get(node);
    ring.stream()
        .filter(range -> range.endpoints().contains(node))
        .sorted(Comparator.comparing(ReplicatedRange::range))
        .forEach(
            range ->
                (first(range, local, datacenters).equals(node) ? primary : redundant).add(range));
    Set<String> neighbours = new TreeSet<>(datacenters.keySet());
    neighbours.removeIf(endpoint -> !Objects.equals(datacenters.get(endpoint), local));
    return new OwnedRanges(node, neighbours, primary, redundant);
  }

  private static String first(
      ReplicatedRange range, @Nullable String local, Map<String, String> datacenters) {
    return range.endpoints().stream()
        .filter(endpoint -> Objects.equals(datacenters.get(endpoint), local))
        .findFirst()
        .orElseThrow();
  }

  /** Both roles' ranges. */
  public List<ReplicatedRange> all() {
    return Stream.concat(primary.stream(), redundant.stream()).toList();
  }

  /** The range's replicas in the node's datacenter, primary first. */
  List<String> local(ReplicatedRange range) {
    return range.endpoints().stream().filter(datacenter::contains).toList();
  }

  /** The other nodes that keep any of the ranges. */
  public Set<String> others() {
    Set<String> others = new TreeSet<>();
    all().forEach(range -> others.addAll(range.endpoints()));
    others.remove(node);
    return others;
  }

  /**
   * Ranges that no other node can give: it is their only replica, or the others are unreachable.
   */
  public List<TokenRange> withoutSource(Set<String> unreachable) {
    return all().stream()
        .filter(
            range ->
                range.endpoints().stream()
                    .noneMatch(other -> !other.equals(node) && !unreachable.contains(other)))
        .map(ReplicatedRange::range)
        .toList();
  }
}
