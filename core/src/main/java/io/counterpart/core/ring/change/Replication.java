package io.counterpart.core.ring.change;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A replication strategy: chooses the replicas of an arc as Cassandra does. Open, since a plugin
 * may bring a strategy of its own.
 */
public interface Replication {

  /**
   * Names of the nodes that keep the arc that ends at the token with an index, in ring order.
   *
   * @param index into {@link TokenRing#tokens}
   */
  List<String> replicas(TokenRing ring, int index);

  /**
   * The same for every arc, in the order of {@link TokenRing#tokens}. A strategy that has to look
   * at the whole ring for an arc does so once here.
   */
  default List<List<String>> replicas(TokenRing ring) {
    return IntStream.range(0, ring.tokens().size()).mapToObj(i -> replicas(ring, i)).toList();
  }

  /** How many copies a datacenter is to keep; all together where they are not told apart. */
  int copies(String datacenter);

  /** Whether each datacenter has copies of its own. */
  boolean byDatacenter();

  /** The same with another number of copies in one datacenter, or in all where not told apart. */
  Replication withCopies(String datacenter, int copies);

  /**
   * SimpleStrategy: the owner of the token and the next nodes on the ring, wherever they stand.
   *
   * @param copies 1 or more
   */
  record Simple(int copies) implements Replication {
    /** Checks. */
    public Simple {
      requireCopies(copies);
    }

    @Override
    public List<String> replicas(TokenRing ring, int index) {
      List<String> chosen = new ArrayList<>();
      int wanted = Math.min(copies, ring.nodes().size());
      for (int i = index; chosen.size() < wanted; i++) {
        String name = ring.owner(i).name();
        if (!chosen.contains(name)) {
          chosen.add(name);
        }
      }
      return chosen;
    }

    @Override
    public int copies(String datacenter) {
      return copies;
    }

    @Override
    public boolean byDatacenter() {
      return false;
    }

    @Override
    public Replication withCopies(String datacenter, int copies) {
      return new Simple(copies);
    }
  }

  /**
   * NetworkTopologyStrategy: on the way around the ring each datacenter takes the first node of
   * each of its racks, and a rack's second one only as often as there are fewer racks than copies.
   *
   * @param copies by datacenter, each 1 or more
   */
  record NetworkTopology(Map<String, Integer> copies) implements Replication {
    /** Checks and copies. */
    public NetworkTopology {
      copies = Map.copyOf(copies);
      copies.values().forEach(Replication::requireCopies);
    }

    @Override
    public List<String> replicas(TokenRing ring, int index) {
      Map<String, Choice> open = new HashMap<>();
      copies.forEach(
          (datacenter, wanted) -> {
            Choice choice = new Choice(ring.nodes(datacenter), wanted);
            if (!choice.isDone()) {
              open.put(datacenter, choice);
            }
          });
      List<String> chosen = new ArrayList<>();
      for (int i = index; !open.isEmpty(); i++) {
        RingNode node = ring.owner(i);
        Choice choice = open.get(node.datacenter());
        if (choice != null && !chosen.contains(node.name()) && choice.takes(node.rack())) {
          chosen.add(node.name());
          if (choice.isDone()) {
            open.remove(node.datacenter());
          }
        }
      }
      return chosen;
    }

    @Override
    public int copies(String datacenter) {
      return copies.getOrDefault(datacenter, 0);
    }

    @Override
    public boolean byDatacenter() {
      return true;
    }

    @Override
    public Replication withCopies(String datacenter, int copies) {
      Map<String, Integer> changed = new TreeMap<>(this.copies);
      changed.put(datacenter, copies);
      return new NetworkTopology(changed);
    }

    /** What one datacenter still looks for. */
    private static final class Choice {
      private final Set<String> racks = new HashSet<>();
      private int left;
      private int repeatsLeft;

      Choice(List<RingNode> nodes, int wanted) {
        left = Math.min(wanted, nodes.size());
        repeatsLeft = wanted - (int) nodes.stream().map(RingNode::rack).distinct().count();
      }

      boolean takes(String rack) {
        if (!racks.add(rack)) {
          if (repeatsLeft <= 0) {
            return false;
          }
          repeatsLeft--;
        }
        left--;
        return true;
      }

      boolean isDone() {
        return left == 0;
      }
    }
  }

  private static void requireCopies(int copies) {
    if (copies < 1) {
      throw new IllegalArgumentException("copies is " + copies + ", legal: 1 and above");
    }
  }
}
