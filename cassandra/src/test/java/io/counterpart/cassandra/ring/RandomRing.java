package io.counterpart.cassandra.ring;

import io.counterpart.core.ring.RingView;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Token;

/** A ring with random tokens, as node 0 sees it: replicas are the next nodes in ring order. */
public final class RandomRing {
  private static final int RF = 3;

  private RandomRing() {}

  public static RingSnapshot of(int nodes, int tokensEach, int maxGroups, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TreeSet<Long> ends = new TreeSet<>();
    while (ends.size() < nodes * tokensEach) {
      ends.add(random.nextLong());
    }
    List<Integer> owners = new ArrayList<>();
    for (int i = 0; i < ends.size(); i++) {
      owners.add(i % nodes);
    }
    for (int i = owners.size() - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      owners.set(i, owners.set(other, owners.get(i)));
    }
    List<List<Integer>> replicas = new ArrayList<>();
    for (int i = 0; i < owners.size(); i++) {
      List<Integer> list = new ArrayList<>();
      for (int next = i; list.size() < RF; next++) {
        Integer owner = owners.get(next % owners.size());
        if (!list.contains(owner)) {
          list.add(owner);
        }
      }
      replicas.add(list);
    }
    List<Token> tokens = ends.stream().<Token>map(LongToken::new).toList();
    return new RingSnapshot(RingView.of(tokens, replicas, 0, maxGroups));
  }
}
