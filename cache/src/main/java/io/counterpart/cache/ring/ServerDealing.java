package io.counterpart.cache.ring;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The servers of each shard. A server belongs to one shard: all that a shard does to its servers,
 * such as emptying one, concerns its own objects alone.
 *
 * <p>Servers of a new tier are dealt n at a time, in the order given. So a list that goes machine
 * by machine, which puts each machine's servers into one ring of a shard, does so in every shard.
 * Stateless.
 */
public final class ServerDealing {
  private ServerDealing() {}

  /**
   * The servers of each shard of a new tier: the i-th goes to shard (i ÷ n) mod S.
   *
   * @param servers at least n for each shard
   * @param n rings of a shard
   * @param shards S, 1 and above
   * @throws IllegalArgumentException with the legal number of servers
   */
  public static <T> List<List<T>> deal(List<T> servers, int n, int shards) {
    if (servers.size() < n * shards) {
      throw new IllegalArgumentException(
          "%d servers for %d shards of %d rings, legal: %d and above"
              .formatted(servers.size(), shards, n, n * shards));
    }
    List<List<T>> dealt =
        Stream.generate(() -> (List<T>) new ArrayList<T>()).limit(shards).toList();
    for (int i = 0; i < servers.size(); i++) {
      dealt.get(i / n % shards).add(servers.get(i));
    }
    return dealt;
  }

  /**
   * The shard that gets more servers: the one with the fewest, the first of several.
   *
   * @param servers present ones of each shard; of a shard that is not known, none
   * @throws IllegalArgumentException if a shard has one of those to add, or none is known
   */
  public static <T> int toAdd(Collection<T> added, List<Set<T>> servers) {
    for (int shard = 0; shard < servers.size(); shard++) {
      for (T server : added) {
        if (servers.get(shard).contains(server)) {
          throw new IllegalArgumentException(
              "server %s is in shard %d, legal: one that is in none".formatted(server, shard));
        }
      }
    }
    return IntStream.range(0, servers.size())
        .filter(shard -> !servers.get(shard).isEmpty())
        .boxed()
        .min(Comparator.comparingInt(shard -> servers.get(shard).size()))
        .orElseThrow(() -> new IllegalArgumentException("no shard is known, legal: one that is"));
  }

  /**
   * The shard that has all of these servers.
   *
   * @param servers present ones of each shard; of a shard that is not known, none
   * @throws IllegalArgumentException if there is none
   */
  public static <T> int toRemove(Collection<T> removed, List<Set<T>> servers) {
    for (int shard = 0; shard < servers.size(); shard++) {
      if (servers.get(shard).containsAll(removed)) {
        return shard;
      }
    }
    throw new IllegalArgumentException(
        "servers %s, legal: some of one shard, of %s".formatted(removed, servers));
  }
}
