package io.counterpart.core.ring.change;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Turns a requested change into its steps. Each method refuses impossible changes with the value
 * and the legal range.
 *
 * @param replications of the keyspaces that matter, by name
 */
public record RingChanges(TokenRing ring, Map<String, Replication> replications) {
  /** More nodes than anybody adds at once. */
  public static final int MOST_NODES = 64;

  private static final int MOST_TOKENS = 256;

  /** Copies the map, in the order of names. */
  public RingChanges {
    replications = new TreeMap<>(replications);
  }

  /**
   * Where nodes are to stand.
   *
   * @param datacenter null for the only one
   * @param rack null for the rack with the fewest nodes, anew for each
   * @param tokens of each; null for as many as the nodes there have on average
   */
  public record Place(
      @Nullable String datacenter, @Nullable String rack, @Nullable Integer tokens) {}

  /**
   * Nodes join one after another.
   *
   * @throws IllegalArgumentException if there are not 1 to {@value #MOST_NODES} of them, or the
   *     place is none
   */
  public List<RingChange> join(int count, Place place) {
    requireRange("--add", count, MOST_NODES, "");
    String datacenter = datacenter(place.datacenter());
    List<RingNode> there = ring.nodes(datacenter);
    double average = there.stream().mapToInt(node -> node.tokens().size()).average().orElseThrow();
    Integer asked = place.tokens();
    int tokens = asked == null ? Math.max(1, (int) Math.round(average)) : asked;
    requireRange("--tokens", tokens, MOST_TOKENS, "");
    List<RingChange> steps = new ArrayList<>();
    TokenRing current = ring;
    for (int i = 1; i <= count; i++) {
      String rack = place.rack() == null ? emptiestRack(current, datacenter) : place.rack();
      List<Long> chosen = EvenTokens.choose(current, datacenter, tokens);
      RingChange step = new RingChange.Join(new RingNode("new-" + i, datacenter, rack, chosen));
      steps.add(step);
      current = step.applyTo(current);
    }
    return List.copyOf(steps);
  }

  /**
   * Nodes leave one after another.
   *
   * @throws IllegalArgumentException if one is unknown or named twice, or too few would be left for
   *     a keyspace's copies
   */
  public List<RingChange> leave(List<String> names) {
    Set<String> known = new TreeSet<>();
    ring.nodes().forEach(node -> known.add(node.name()));
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "--remove is '%s', legal: one of %s".formatted(name, String.join(", ", known)));
      }
    }
    if (new LinkedHashSet<>(names).size() < names.size()) {
      throw new IllegalArgumentException("--remove names a node twice: " + String.join(" ", names));
    }
    replications.forEach(
        (keyspace, replication) -> requireEnoughLeft(keyspace, replication, names));
    if (names.size() >= ring.nodes().size()) {
      throw new IllegalArgumentException(
          "--remove names all %d nodes, legal: at most %d"
              .formatted(names.size(), ring.nodes().size() - 1));
    }
    return names.stream().<RingChange>map(RingChange.Leave::new).toList();
  }

  /**
   * The keyspaces get another number of copies.
   *
   * @param datacenter the only one where it changes; null for all that have copies
   * @throws IllegalArgumentException if there are not as many nodes
   */
  public List<RingChange> copies(int copies, @Nullable String datacenter) {
    Set<String> changed = datacenter == null ? ring.datacenters() : Set.of(datacenter(datacenter));
    replications.forEach(
        (keyspace, replication) -> {
          for (String each : changed) {
            if (replication.copies(each) > 0) {
              Group group = group(replication, each);
              requireRange("--rf", copies, group.nodes().size(), " (the nodes" + group.of() + ")");
            }
          }
          if (datacenter != null && !replication.byDatacenter()) {
            throw new IllegalArgumentException(
                "--dc is '%s', but keyspace %s has SimpleStrategy, which knows no datacenters"
                    .formatted(datacenter, keyspace));
          }
          if (datacenter != null && replication.copies(datacenter) == 0) {
            throw new IllegalArgumentException(
                "--dc is '%s', but keyspace %s has no copies there"
                    .formatted(datacenter, keyspace));
          }
        });
    return List.of(new RingChange.Copies(copies, changed));
  }

  private void requireEnoughLeft(String keyspace, Replication replication, List<String> names) {
    for (String datacenter : ring.datacenters()) {
      Group group = group(replication, datacenter);
      long leaving = group.nodes().stream().filter(node -> names.contains(node.name())).count();
      int copies = replication.copies(datacenter);
      // a datacenter without copies may go as a whole, but somebody must stay
      int needed = replication.byDatacenter() ? copies : Math.max(1, copies);
      long most = Math.max(0, group.nodes().size() - needed);
      if (leaving > most) {
        throw new IllegalArgumentException(
            "--remove names %d of %d nodes%s, legal: at most %d, since keyspace %s keeps %d copies"
                .formatted(leaving, group.nodes().size(), group.of(), most, keyspace, copies));
      }
    }
  }

  /** The nodes that a number of copies is about. */
  private record Group(List<RingNode> nodes, String of) {}

  private Group group(Replication replication, String datacenter) {
    return replication.byDatacenter()
        ? new Group(ring.nodes(datacenter), " of datacenter " + datacenter)
        : new Group(ring.nodes(), "");
  }

  private String datacenter(@Nullable String asked) {
    Set<String> all = ring.datacenters();
    if (asked == null && all.size() == 1) {
      return all.iterator().next();
    }
    if (asked == null || !all.contains(asked)) {
      throw new IllegalArgumentException(
          "--dc is %s, legal: one of %s"
              .formatted(asked == null ? "missing" : "'" + asked + "'", String.join(", ", all)));
    }
    return asked;
  }

  private static String emptiestRack(TokenRing ring, String datacenter) {
    Map<String, Integer> nodes = new TreeMap<>();
    ring.nodes(datacenter).forEach(node -> nodes.merge(node.rack(), 1, Integer::sum));
    return nodes.entrySet().stream()
        .min(Comparator.comparingInt(Map.Entry::getValue))
        .orElseThrow()
        .getKey();
  }

  private static void requireRange(String option, int value, int most, String of) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          "%s is %d, not in 1..%d%s".formatted(option, value, most, of));
    }
  }
}
