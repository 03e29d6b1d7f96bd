package io.counterpart.cluster.layout;

import java.util.List;

/** The manner in which a node's process enters the ring. */
public sealed interface Join {

  /** System properties, {@code name=value}, for this start only. */
  List<String> systemProperties();

  /** Whether the node streams its data from others before it serves. */
  boolean streams();

  /** Tokens that are set for a node that joins; none where the node or its data have their own. */
  default List<Long> tokens() {
    return List.of();
  }

  /**
   * First start of a whole cluster with planned tokens. There is nobody yet whose address could
   * collide, and the collision check would fail on nodes that come up before their seed.
   */
  record Fresh() implements Join {
    @Override
    public List<String> systemProperties() {
      return List.of("cassandra.allow_unsafe_join=true");
    }

    @Override
    public boolean streams() {
      return false;
    }
  }

  /** Start on the node's own data. */
  record Restart() implements Join {
    @Override
    public List<String> systemProperties() {
      return List.of();
    }

    @Override
    public boolean streams() {
      return false;
    }
  }

  /** Start of a node that lost its data: it takes its tokens and host id from gossip, no data. */
  record Rejoin(String ownAddress) implements Join {
    @Override
    public List<String> systemProperties() {
      return List.of(
          "cassandra.replace_address_first_boot=" + ownAddress,
          "cassandra.allow_unsafe_replace=true");
    }

    @Override
    public boolean streams() {
      return false;
    }
  }

  /**
   * A node more.
   *
   * @param tokens none for tokens of its own choice
   */
  record Bootstrap(List<Long> tokens) implements Join {
    /** Copies the list. */
    public Bootstrap {
      tokens = List.copyOf(tokens);
    }

    @Override
    public List<String> systemProperties() {
      return List.of();
    }

    @Override
    public boolean streams() {
      return true;
    }
  }

  /** A node more that gets its data and all writes, but serves nobody before it is told to join. */
  record Survey() implements Join {
    @Override
    public List<String> systemProperties() {
      return List.of("cassandra.write_survey=true");
    }

    @Override
    public boolean streams() {
      return true;
    }
  }

  /** A node in place of a dead one, with that one's tokens. */
  record Replace(String deadAddress) implements Join {
    @Override
    public List<String> systemProperties() {
      return List.of(
          "cassandra.replace_address_first_boot=" + deadAddress,
          // how long it watches the dead node for signs of life; a minute unless told otherwise
          "cassandra.broadcast_interval_ms=10000");
    }

    @Override
    public boolean streams() {
      return true;
    }
  }
}
