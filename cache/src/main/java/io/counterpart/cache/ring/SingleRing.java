package io.counterpart.cache.ring;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One ring of all servers: the placement of the baselines. Vanilla uses {@link #server(long)}
 * alone; ccMemcached also puts parity on servers that hold none of its stripe's data.
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
   * The first accepted server at or after a position.
   *
   * @param takes accepts servers; at least one
   * @throws IllegalArgumentException if it accepts none
   */
  public ServerId server(long position, Predicate<ServerId> takes) {
    return ring.server(position, takes);
  }

  /** The ring with more servers; see {@link HashRing#with}. */
  public SingleRing with(Collection<ServerId> added) {
    return new SingleRing(ring.with(added));
  }

  /** The ring without some servers; see {@link HashRing#without}. */
  public SingleRing without(Collection<ServerId> removed) {
    return new SingleRing(ring.without(removed));
  }

  /** The arcs whose server differs in {@code after}, by their end. */
  public List<MovingArc> arcsTo(SingleRing after) {
    return ring.arcsTo(after.ring);
  }

  /** The move of a key when the servers become those of {@code after}; empty if it stays. */
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
