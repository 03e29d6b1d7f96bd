package io.counterpart.cache.ring;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * One ring of all servers: the placement of the baselines. Vanilla uses {@link #server(long)}
 * alone; ccMemcached also keeps the k data chunks of a stripe on k distinct servers, those of its
 * objects, and its parity on others.
 *
 * <p>Thread-safe: immutable. Paper: ECHash §2.2, §5.1.
 */
public final class SingleRing {
  private final HashRing ring;

  private SingleRing(HashRing ring) {
    this.ring = ring;
  }

  /**
   * Builds the ring of some servers.
   *
   * @param servers at least one, each once
   * @param virtualNodes v of each server
   * @param seed of the virtual nodes' positions
   * @throws IllegalArgumentException as {@link HashRing#of}
   */
  public static SingleRing of(Collection<ServerId> servers, int virtualNodes, long seed) {
    return new SingleRing(HashRing.of(servers, virtualNodes, seed));
  }

  /** The servers, by name. */
  public List<ServerId> servers() {
    return ring.servers();
  }

  /** Server of a key, by its {@link KeyHash}. */
  public ServerId server(long keyHash) {
    return ring.server(keyHash);
  }

  /**
   * Servers of a stripe's parity: the first ones clockwise from its position that hold none of its
   * data.
   *
   * @param position of the stripe, such as the hash of its first parity key
   * @param data servers of the data chunks, each once
   * @param count number of parity chunks, at least 0
   * @throws IllegalArgumentException if a data server is unknown or there twice, or there are fewer
   *     servers than chunks
   */
  public List<ServerId> parityServers(long position, List<ServerId> data, int count) {
    HashSet<ServerId> distinct = new HashSet<>();
    for (ServerId server : data) {
      if (!ring.contains(server) || !distinct.add(server)) {
        throw new IllegalArgumentException(
            "data chunks on " + data + ", legal: distinct ones of " + servers());
      }
    }
    int others = servers().size() - data.size();
    if (count < 0 || count > others) {
      throw new IllegalArgumentException(
          count
              + " parity chunks beside data on "
              + data.size()
              + " of "
              + servers().size()
              + " servers, legal: 0 to "
              + others);
    }
    return List.copyOf(ring.clockwise(position, count, distinct));
  }

  /** The ring with other servers besides; see {@link HashRing#with}. */
  public SingleRing with(Collection<ServerId> added) {
    return new SingleRing(ring.with(added));
  }

  /** The ring without some servers; see {@link HashRing#without}. */
  public SingleRing without(Collection<ServerId> removed) {
    return new SingleRing(ring.without(removed));
  }

  /** The arcs whose server is another one in {@code after}, by their end. */
  public List<Arc> arcsTo(SingleRing after) {
    return ring.arcsTo(after.ring);
  }

  /** Where a key moves when the servers become those of {@code after}; empty if it stays. */
  public Optional<Move> moves(long keyHash, SingleRing after) {
    ServerId from = server(keyHash);
    ServerId to = after.server(keyHash);
    return from.equals(to) ? Optional.empty() : Optional.of(new Move(from, to));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SingleRing that && ring.equals(that.ring);
  }

  @Override
  public int hashCode() {
    return ring.hashCode();
  }

  @Override
  public String toString() {
    return ring.toString();
  }
}
