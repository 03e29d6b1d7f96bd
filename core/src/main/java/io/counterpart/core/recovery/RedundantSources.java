package io.counterpart.core.recovery;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Names the sources of a rebuild so that ranges come from redundant copies, which are the smaller
 * ones where roles have formats and which serve no reads at ONE. Left alone, Cassandra takes the
 * first replica that its snitch names, which is mostly the primary.
 *
 * <p>A call of Cassandra has one set of sources for all of its ranges. A range with a live primary
 * p and live redundant replicas R needs a call whose sources hold a node of R and not p. So each
 * node gets a colour, p's another one than some node of R. Each colour gets a label of k bits, half
 * of them set. The sources of call b are nodes whose label has bit b. Two labels differ and have
 * equally many bits, so each has a bit that the other lacks: every range finds its call.
 *
 * <p>Worked: nodes b, c, d, e and all pairs of p and R = {r} among them. Four colours need k = 4,
 * labels 0011, 0101, 0110, 1001. The range with p = b (0011) and r = c (0101) goes to call 2. Nodes
 * of different ranges mostly share a colour. All pairs of 1,000 nodes would take 13.
 *
 * <p>Other datacenters are no sources here. The node's own primary ranges, and ranges whose live
 * replicas leave no choice, join any call whose sources hold them. The rest is a call without named
 * sources. Ranges with one replica list share sstables, and so a call.
 */
final class RedundantSources {

  /**
   * Ranges with the same replicas in the node's datacenter.
   *
   * @param primary the first of these
   * @param live the others than the node that it sees alive, in ring order
   */
  private record ReplicaList(String primary, List<String> live, List<ReplicatedRange> ranges) {
    /** Whether both the primary, another node than this one, and a redundant replica are live. */
    boolean isChoice() {
      return live.size() > 1 && live.get(0).equals(primary);
    }

    /** If there is a choice: whom to ask. */
    List<String> redundant() {
      return live.subList(1, live.size());
    }
  }

  /** A call in the making. */
  private record Call(Set<String> sources, Set<ReplicatedRange> ranges) {
    static Call empty() {
      return new Call(new TreeSet<>(), new LinkedHashSet<>());
    }

    boolean gives(ReplicaList list) {
      return list.live().stream().anyMatch(sources::contains);
    }

    int size() {
      return ranges.size();
    }

    RecoveryStep step(OwnedRanges owned) {
      return new RecoveryStep(mine(owned.primary()), mine(owned.redundant()), sources);
    }

    private List<TokenRange> mine(List<ReplicatedRange> ofRole) {
      return ofRole.stream().filter(ranges::contains).map(ReplicatedRange::range).toList();
    }
  }

  private RedundantSources() {}

  /**
   * Divides the ranges that are left into one step for each set of sources, about equally large.
   *
   * @param unreachable endpoints that the node does not see alive
   * @param done ranges already restored
   * @return every range that is left, once; a single step without named sources if that is as good
   */
  static List<RecoveryStep> steps(
      OwnedRanges owned, Set<String> unreachable, Set<TokenRange> done) {
    List<ReplicaList> lists = lists(owned, unreachable, done);
    List<Call> calls = named(lists.stream().filter(ReplicaList::isChoice).toList());
    Call unnamed = Call.empty();
    for (ReplicaList list : lists) {
      if (!list.isChoice()) {
        calls.stream()
            .filter(call -> call.gives(list))
            .min(Comparator.comparingInt(Call::size))
            .orElse(unnamed)
            .ranges()
            .addAll(list.ranges());
      }
    }
    return Stream.concat(calls.stream(), Stream.of(unnamed))
        .filter(call -> call.size() > 0)
        .map(call -> call.step(owned))
        .toList();
  }

  private static List<ReplicaList> lists(
      OwnedRanges owned, Set<String> unreachable, Set<TokenRange> done) {
    Map<List<String>, ReplicaList> lists = new LinkedHashMap<>();
    for (ReplicatedRange range : owned.all()) {
      if (!done.contains(range.range())) {
        lists
            .computeIfAbsent(owned.local(range), nodes -> list(nodes, owned.node(), unreachable))
            .ranges()
            .add(range);
      }
    }
    return List.copyOf(lists.values());
  }

  private static ReplicaList list(List<String> nodes, String node, Set<String> unreachable) {
    List<String> live =
        nodes.stream().filter(each -> !each.equals(node) && !unreachable.contains(each)).toList();
    return new ReplicaList(nodes.get(0), live, new ArrayList<>());
  }

  private static List<Call> named(List<ReplicaList> choices) {
    Map<String, Integer> labels = labels(colours(choices));
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(or(labels.values()));
    List<Call> calls = IntStream.range(0, bits).mapToObj(bit -> Call.empty()).toList();
    for (ReplicaList choice : choices) {
      int bit =
          IntStream.range(0, bits)
              .filter(each -> !has(labels, choice.primary(), each))
              .filter(each -> choice.redundant().stream().anyMatch(node -> has(labels, node, each)))
              .boxed()
              .min(Comparator.comparingInt(each -> calls.get(each).size()))
              .orElseThrow();
      calls.get(bit).ranges().addAll(choice.ranges());
      choice.redundant().stream()
          .filter(node -> has(labels, node, bit))
          .forEach(calls.get(bit).sources()::add);
    }
    return calls;
  }

  private static int or(Collection<Integer> labels) {
    return labels.stream().reduce(0, (a, b) -> a | b);
  }

  private static boolean has(Map<String, Integer> labels, String node, int bit) {
    return (labels.getOrDefault(node, 0) >> bit & 1) == 1;
  }

  /**
   * Each node gets the rarest colour with which no range has all of its nodes in one colour: many
   * sources stream in parallel.
   */
  private static Map<String, Integer> colours(List<ReplicaList> choices) {
    Map<String, Integer> colours = new HashMap<>();
    List<Integer> uses = new ArrayList<>(List.of(0, 0));
    for (ReplicaList list : choices) {
      for (String node : list.live()) {
        if (!colours.containsKey(node)) {
          int colour =
              IntStream.range(0, uses.size())
                  .filter(each -> fits(node, each, choices, colours))
                  .boxed()
                  .min(Comparator.comparingInt(uses::get))
                  .orElse(uses.size());
          if (colour == uses.size()) {
            uses.add(0);
          }
          uses.set(colour, uses.get(colour) + 1);
          colours.put(node, colour);
        }
      }
    }
    return colours;
  }

  private static boolean fits(
      String node, int colour, List<ReplicaList> choices, Map<String, Integer> colours) {
    return choices.stream()
        .filter(choice -> choice.live().contains(node))
        .allMatch(
            choice ->
                choice.live().stream()
                    .filter(other -> !other.equals(node))
                    .anyMatch(other -> colours.getOrDefault(other, -1) != colour));
  }

  private static Map<String, Integer> labels(Map<String, Integer> colours) {
    int count = colours.values().stream().mapToInt(colour -> colour + 1).max().orElse(0);
    List<Integer> labels = List.of();
    for (int bits = 0; labels.size() < count; bits++) {
      int half = bits / 2;
      labels =
          IntStream.range(0, 1 << bits)
              .filter(label -> Integer.bitCount(label) == half)
              .boxed()
              .toList();
    }
    Map<String, Integer> byNode = new HashMap<>();
    for (Map.Entry<String, Integer> coloured : colours.entrySet()) {
      byNode.put(coloured.getKey(), labels.get(coloured.getValue()));
    }
    return byNode;
  }
}
