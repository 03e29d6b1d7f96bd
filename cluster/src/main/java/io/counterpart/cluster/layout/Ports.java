package io.counterpart.cluster.layout;

/**
 * The ports of a cluster. CQL and storage ports are the same on every node, since each node has an
 * address of its own; local JMX always binds 127.0.0.1, so node i listens on {@code jmxBase + i}.
 * Servers of storage engines have the ports behind the CQL port, on their node's address.
 */
public record Ports(int cql, int storage, int jmxBase) {

  /** Cassandra's usual ports. */
  public static final Ports DEFAULT = new Ports(9042, 7000, 7199);

  public Ports {
    require("CQL", cql);
    require("storage", storage);
    require("JMX base", jmxBase);
    if (cql == storage) {
      throw new IllegalArgumentException("CQL and storage port are both " + cql);
    }
  }

  int jmx(int nodeIndex) {
    return jmxBase + nodeIndex;
  }

  /**
   * @param kind number of the kind of server, from 0 on
   */
  public int server(int kind) {
    return cql + 1 + kind;
  }

  private static void require(String what, int port) {
    if (port < 1024 || port > 65_000) {
      throw new IllegalArgumentException(what + " port " + port + " is not in 1024..65000");
    }
  }
}
