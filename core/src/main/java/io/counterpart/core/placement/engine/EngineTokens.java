package io.counterpart.core.placement.engine;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Tokens for a cluster of S servers with one node of each engine class on each server, under which
 * Cassandra's NetworkTopologyStrategy with rack = engine class keeps the quotas of N copies, on N
 * different servers.
 *
 * <p><b>Quotas.</b> The classes of the tokens repeat with period N, each class as often as its
 * quota: memory, read, write, write … for (4, 3, 2). Any N consecutive tokens then hold each class
 * as often as its quota. The strategy takes the next N tokens: the first node of each rack is
 * always accepted, and it accepts as many repeats as there are more copies than racks, which is
 * what the period has. So a node has as many times v tokens as its class has copies.
 *
 * <p><b>Servers, S &gt; N.</b> All tokens have equal distances, and consecutive tokens are on
 * consecutive servers. Worked: N = 3, S = 4: classes m r w m r w …, servers 0 1 2 3 0 1 …; after 12
 * tokens each node has had one. If N and S have a common divisor g &gt; 1, each class would meet
 * the same S / g servers again and again. So one server is passed over after every lcm(N, S)
 * tokens. N consecutive tokens then span at most N + 1 servers in turn, which are all different,
 * and the ring closes evenly if v is a multiple of S / g. Worked: N = 3, S = 6: v is even.
 *
 * <p><b>Servers, S ≤ N.</b> Passing one token changes one replica, and the others hold all other
 * servers: with equal distances the new replica shares a server. So the N tokens of a period lie
 * next to each other, and all replicas change at once but for N − 1 of the 2^64 tokens. Period k
 * begins on server k mod S. With S &lt; N each server has ⌊N/S⌋ or ⌈N/S⌉ of the copies.
 *
 * <p>Paper: MyCassandra §3.2.1, placement (3). Deviates: the paper changes the replication
 * strategy; drivers route by tokens under Cassandra's own.
 */
public final class EngineTokens {
  /** Tokens of a node for each copy of its class, at most. */
  public static final int MOST_TOKENS = 256;

  private static final int MOST_SERVERS = 1_000;
  private static final BigInteger RING = BigInteger.ONE.shiftLeft(64);
  private static final BigInteger LOWEST = BigInteger.valueOf(Long.MIN_VALUE + 1);

  private final int servers;
  private final List<EngineClass> period;
  private final int rounds;

  private EngineTokens(int servers, List<EngineClass> period, int rounds) {
    this.servers = servers;
    this.period = period;
    this.rounds = rounds;
  }

  /**
   * Plans tokens.
   *
   * @param servers S, at least the largest quota
   * @param tokens v wanted, 1 to 256; the nearest lower legal one is used, or the lowest
   * @return tokens of each server's node, server 0 first, by class; classes without quota are
   *     absent
   * @throws IllegalArgumentException with the value and the legal range
   */
  public static Map<EngineClass, List<List<Long>>> plan(
      int servers, EngineQuotas quotas, int tokens) {
    List<EngineClass> period = period(quotas);
    int fewest = 1;
    for (EngineClass engine : EngineClass.values()) {
      fewest = Math.max(fewest, quotas.of(engine));
    }
    require("servers", servers, fewest, MOST_SERVERS);
    require("tokens", tokens, 1, MOST_TOKENS);
    int copies = quotas.copies();
    int divisor = gcd(servers, copies);
    int multiple = servers > copies && divisor > 1 ? servers / divisor : 1;
    int rounds = Math.max(1, tokens / multiple) * multiple;
    return new EngineTokens(servers, period, rounds).tokens();
  }

  private static void require(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s is %d, legal: %d to %d".formatted(name, value, least, most));
    }
  }

  /** Memory first: under S ≤ N the first class of the period leads. */
  private static List<EngineClass> period(EngineQuotas quotas) {
    List<EngineClass> period = new ArrayList<>();
    for (EngineClass engine : List.of(EngineClass.MEMORY, EngineClass.READ, EngineClass.WRITE)) {
      for (int i = 0; i < quotas.of(engine); i++) {
        period.add(engine);
      }
    }
    return period;
  }

  private Map<EngineClass, List<List<Long>>> tokens() {
    Map<EngineClass, List<List<Long>>> tokens = new EnumMap<>(EngineClass.class);
    for (EngineClass engine : period) {
      tokens.computeIfAbsent(engine, unused -> new ArrayList<>());
    }
    tokens.values().forEach(nodes -> addServers(nodes));
    int all = period.size() * servers * rounds;
    for (int t = 0; t < all; t++) {
      EngineClass engine = period.get(t % period.size());
      List<List<Long>> nodes = tokens.getOrDefault(engine, List.of());
      nodes.get(server(t)).add(token(t, all));
    }
    tokens.replaceAll((engine, nodes) -> nodes.stream().map(List::copyOf).toList());
    return tokens;
  }

  private void addServers(List<List<Long>> nodes) {
    for (int server = 0; server < servers; server++) {
      nodes.add(new ArrayList<>());
    }
  }

  private int server(int t) {
    int copies = period.size();
    int divisor = gcd(servers, copies);
    if (servers <= copies) {
      return (t / copies + t % copies) % servers;
    }
    return divisor == 1 ? t % servers : (t + t / (copies / divisor * servers)) % servers;
  }

  private long token(int t, int all) {
    int within = servers > period.size() ? 0 : t % period.size();
    BigInteger distance =
        RING.multiply(BigInteger.valueOf(t - within)).divide(BigInteger.valueOf(all));
    return LOWEST.add(distance).longValueExact() + within;
  }

  private static int gcd(int one, int other) {
    return other == 0 ? one : gcd(other, one % other);
  }
}
