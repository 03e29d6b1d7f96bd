package io.counterpart.core.placement;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The nodes of one datacenter in the order of their hashes: sorted by the MD5 of {@code ip:port} as
 * an unsigned number, and closed to a circle. Immutable and thread-safe.
 *
 * <p>The order depends on the set of addresses alone. A node that joins or leaves does not change
 * the order of the others.
 *
 * <p>The replicas of an arc under PoR-S are its owner and the nodes that follow the owner on this
 * circle. A node in a rack that has a replica already is passed over, but for as many times as
 * there are more copies than racks: the rule of Cassandra's NetworkTopologyStrategy. Worked: the
 * order is A, B, C, D with racks 1, 1, 2, 2 and two copies; A's arcs are on A and C, since B shares
 * A's rack; D's are on D and A.
 *
 * <p>Paper: CRS, placement of replicas (PoR).
 */
public final class HashOrder {
  private final List<Host> hosts;
  private final Map<Host, Integer> ranks = new HashMap<>();
  private final int racks;

  private HashOrder(List<Host> hosts) {
    this.hosts = hosts;
    for (int rank = 0; rank < hosts.size(); rank++) {
      ranks.put(hosts.get(rank), rank);
    }
    racks = (int) hosts.stream().map(Host::rack).distinct().count();
  }

  /**
   * The order of some nodes.
   *
   * @throws IllegalArgumentException if two have one address
   */
  public static HashOrder of(Collection<Host> hosts) {
    if (hosts.stream().map(Host::address).distinct().count() < hosts.size()) {
      throw new IllegalArgumentException("two nodes have one address, legal: each address once");
    }
    Map<Host, BigInteger> hashes = new HashMap<>();
    hosts.forEach(host -> hashes.put(host, hash(host.address())));
    return new HashOrder(
        hosts.stream()
            .sorted(
                Comparator.<Host, BigInteger>comparing(hashes::get).thenComparing(Host::address))
            .toList());
  }

  /** The nodes by rank. */
  public List<Host> hosts() {
    return hosts;
  }

  /**
   * The replicas of an arc, its owner first; fewer than {@code copies} if there are fewer nodes.
   *
   * @param copies 1 or more
   * @throws IllegalArgumentException if the owner is not in the order, or there are no copies
   */
  public List<Host> replicas(Host owner, int copies) {
    if (copies < 1) {
      throw new IllegalArgumentException("copies is " + copies + ", legal: 1 and above");
    }
    int first = rank(owner);
    List<Host> chosen = new ArrayList<>(copies);
    Set<String> seen = new HashSet<>();
    int wanted = Math.min(copies, hosts.size());
    int repeats = copies - racks;
    for (int i = 0; chosen.size() < wanted && i < hosts.size(); i++) {
      Host next = hosts.get((first + i) % hosts.size());
      if (seen.add(next.rack())) {
        chosen.add(next);
      } else if (repeats > 0) {
        repeats--;
        chosen.add(next);
      }
    }
    return List.copyOf(chosen);
  }

  /**
   * The node that follows another on the circle: itself if it is alone.
   *
   * @throws IllegalArgumentException if the node is not in the order
   */
  public Host successor(Host host) {
    return hosts.get((rank(host) + 1) % hosts.size());
  }

  private int rank(Host host) {
    Integer rank = ranks.get(host);
    if (rank == null) {
      throw new IllegalArgumentException("%s is none of %s".formatted(host, hosts));
    }
    return rank;
  }

  private static BigInteger hash(String address) {
    try {
      return new BigInteger(1, MessageDigest.getInstance("MD5").digest(address.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }
}
