package io.counterpart.core.placement.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Chooses the replicas of a token in one datacenter: clockwise from the token, as many nodes of
 * each engine class as its quota, each on a server of its own.
 *
 * <ol>
 *   <li>A node is taken if its class has quota left, no replica is on its server, and the rest can
 *       still be placed on as many different servers as at best ({@link ServerMatching}).
 *   <li>If there are not enough servers, the remaining quotas go clockwise to nodes on servers with
 *       one replica, then with two, and so on.
 *   <li>If a class has fewer nodes than its quota, nodes of other classes take its copies in the
 *       same way: the number of copies goes before their classes.
 * </ol>
 *
 * <p>Worked: quotas 1, 1, 1, clockwise write on s1, read on s1, read on s2, memory on s2, memory on
 * s3: the replicas are write on s1, read on s2, memory on s3.
 *
 * <p>The choice depends on the nodes and their order alone. Where every server has a node of each
 * class, and there are as many servers as copies, a node that is not chosen has no effect: a server
 * that joins or leaves changes the replicas of its own arcs alone. Immutable and thread-safe.
 *
 * <p>Paper: MyCassandra §3.2.1, placement (3). Deviates: the paper asks for at least W
 * write-optimized and R read-optimized nodes and says nothing of too few servers.
 */
public final class EngineReplicas {
  private final EngineQuotas quotas;
  private final ServerMatching servers;
  private final int nodes;
  private final int distinct;

  /**
   * A chooser.
   *
   * @param nodes of the datacenter
   */
  public EngineReplicas(Collection<EngineNode> nodes, EngineQuotas quotas) {
    this.quotas = quotas;
    this.servers = ServerMatching.of(nodes);
    this.nodes = (int) nodes.stream().map(EngineNode::name).distinct().count();
    this.distinct = servers.largest(quotasLeft(Map.of()), List.of());
  }

  /**
   * The replicas in the order in which they are met; fewer than the quotas if there are fewer
   * nodes.
   *
   * @param clockwise the owners of the tokens around the whole ring, beginning at the token; nodes
   *     may come more than once
   */
  public List<EngineNode> choose(Iterable<EngineNode> clockwise) {
    Choice choice = new Choice();
    choice.takeOnOwnServers(clockwise);
    choice.takeWithinQuotas(clockwise);
    choice.takeAny(clockwise);
    return choice.inOrder();
  }

  /** The most servers that hold replicas of one token. */
  public int distinctServers() {
    return distinct;
  }

  private Map<EngineClass, Integer> quotasLeft(Map<EngineClass, Integer> taken) {
    Map<EngineClass, Integer> left = new HashMap<>();
    for (EngineClass engine : EngineClass.values()) {
      left.put(engine, quotas.of(engine) - taken.getOrDefault(engine, 0));
    }
    return left;
  }

  /** The replicas of one token so far. */
  private final class Choice {
    private final Map<EngineNode, Integer> chosen = new HashMap<>();
    private final Map<String, Integer> onServer = new HashMap<>();
    private final Map<EngineClass, Integer> ofClass = new HashMap<>();

    void takeOnOwnServers(Iterable<EngineNode> clockwise) {
      int position = 0;
      for (EngineNode node : clockwise) {
        if (chosen.size() == distinct) {
          return;
        }
        if (!onServer.containsKey(node.server()) && hasQuota(node) && leavesEnough(node)) {
          take(node, position);
        }
        position++;
      }
    }

    /** Whether as many different servers can be reached after a node is taken. */
    private boolean leavesEnough(EngineNode node) {
      Map<EngineClass, Integer> left = quotasLeft(ofClass);
      left.merge(node.engine(), -1, Integer::sum);
      List<String> used = new ArrayList<>(onServer.keySet());
      used.add(node.server());
      return chosen.size() + 1 + servers.largest(left, used) >= distinct;
    }

    void takeWithinQuotas(Iterable<EngineNode> clockwise) {
      for (int most = 1; most <= nodes && chosen.size() < quotas.copies(); most++) {
        int position = 0;
        for (EngineNode node : clockwise) {
          if (isFree(node, most) && hasQuota(node)) {
            take(node, position);
          }
          position++;
        }
      }
    }

    void takeAny(Iterable<EngineNode> clockwise) {
      int copies = Math.min(nodes, quotas.copies());
      for (int most = 1; most <= nodes && chosen.size() < copies; most++) {
        int position = 0;
        for (EngineNode node : clockwise) {
          if (chosen.size() < copies && isFree(node, most)) {
            take(node, position);
          }
          position++;
        }
      }
    }

    private boolean hasQuota(EngineNode node) {
      return ofClass.getOrDefault(node.engine(), 0) < quotas.of(node.engine());
    }

    private boolean isFree(EngineNode node, int most) {
      return !chosen.containsKey(node) && onServer.getOrDefault(node.server(), 0) < most;
    }

    private void take(EngineNode node, int position) {
      chosen.put(node, position);
      onServer.merge(node.server(), 1, Integer::sum);
      ofClass.merge(node.engine(), 1, Integer::sum);
    }

    List<EngineNode> inOrder() {
      return chosen.entrySet().stream()
          .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
          .map(Map.Entry::getKey)
          .toList();
    }
  }
}
