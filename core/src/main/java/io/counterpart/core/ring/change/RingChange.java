package io.counterpart.core.ring.change;

import java.util.Set;

/** One step of a change: nodes join and leave one after another. */
public sealed interface RingChange {

  /** The ring after it. */
  TokenRing applyTo(TokenRing ring);

  /** The replication of a keyspace after it. */
  Replication applyTo(Replication replication);

  /** A node bootstraps. */
  record Join(RingNode node) implements RingChange {
    @Override
    public TokenRing applyTo(TokenRing ring) {
      return ring.with(node);
    }

    @Override
    public Replication applyTo(Replication replication) {
      return replication;
    }
  }

  /** A node is decommissioned, or removed by the others if it is dead. */
  record Leave(String name) implements RingChange {
    @Override
    public TokenRing applyTo(TokenRing ring) {
      return ring.without(name);
    }

    @Override
    public Replication applyTo(Replication replication) {
      return replication;
    }
  }

  /**
   * The keyspace is altered, and what the new replicas miss is streamed.
   *
   * @param datacenters whose number of copies changes; a datacenter without any stays without
   */
  record Copies(int copies, Set<String> datacenters) implements RingChange {
    /** Copies the set. */
    public Copies {
      datacenters = Set.copyOf(datacenters);
    }

    @Override
    public TokenRing applyTo(TokenRing ring) {
      return ring;
    }

    @Override
    public Replication applyTo(Replication replication) {
      Replication changed = replication;
      for (String datacenter : datacenters) {
        if (replication.copies(datacenter) > 0) {
          changed = changed.withCopies(datacenter, copies);
        }
      }
      return changed;
    }
  }
}
