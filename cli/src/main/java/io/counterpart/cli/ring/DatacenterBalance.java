package io.counterpart.cli.ring;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.counterpart.core.placement.HashOrderedReplication;
import io.counterpart.core.placement.RingBalance;
import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TableLoad;
import io.counterpart.lab.remote.ClusterRing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The balance of a keyspace in one datacenter.
 *
 * @param strategy its replication strategy, by the simple name
 * @param copies kept in the datacenter, or on the whole ring under SimpleStrategy
 * @param replicaSets different sets of the datacenter's nodes that keep an arc together
 * @param primaryImbalance largest share of arcs led ÷ mean share, 1 is even
 * @param copiesImbalance largest share of copies ÷ mean share, 1 is even
 */
record DatacenterBalance(
    String keyspace,
    String datacenter,
    String strategy,
    int copies,
    int replicaSets,
    double primaryImbalance,
    double copiesImbalance,
    List<NodeShare> nodes) {

  /**
   * A node's part of a keyspace.
   *
   * @param primary share of the ring that it leads, 0 to 1
   * @param copies share of the ring that it keeps, 0 to 1
   * @param bytes on disk, all tables; null if the node does not say
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record NodeShare(
      String node, String rack, int tokens, double primary, double copies, @Nullable Long bytes) {}

  /** The datacenters that keep copies of a keyspace. */
  static List<DatacenterBalance> of(ClusterRing cluster, String keyspace, Replication replication) {
    List<DatacenterBalance> all = new ArrayList<>();
    for (String datacenter : cluster.ring().datacenters()) {
      if (replication.copies(datacenter) > 0) {
        all.add(of(cluster, keyspace, replication, datacenter));
      }
    }
    return all;
  }

  private static DatacenterBalance of(
      ClusterRing cluster, String keyspace, Replication replication, String datacenter) {
    RingBalance balance = RingBalance.of(cluster.ring(), replication, datacenter);
    List<NodeShare> nodes = new ArrayList<>();
    for (RingNode node : cluster.ring().nodes(datacenter)) {
      RingBalance.Share share = share(balance.shares(), node.name());
      nodes.add(
          new NodeShare(
              node.name(),
              node.rack(),
              node.tokens().size(),
              share.primary(),
              share.copies(),
              bytes(cluster.tables(), keyspace, node.name())));
    }
    return new DatacenterBalance(
        keyspace,
        datacenter,
        strategy(replication),
        replication.copies(datacenter),
        balance.replicaSets(),
        balance.primaryImbalance(),
        balance.copiesImbalance(),
        nodes);
  }

  private static RingBalance.Share share(Map<String, RingBalance.Share> shares, String node) {
    RingBalance.Share share = shares.get(node);
    return share == null ? new RingBalance.Share(0, 0) : share;
  }

  private static @Nullable Long bytes(List<TableLoad> tables, String keyspace, String node) {
    Long sum = null;
    for (TableLoad table : tables) {
      Long bytes = table.bytesByNode().get(node);
      if (table.keyspace().equals(keyspace) && bytes != null) {
        sum = bytes + (sum == null ? 0 : sum);
      }
    }
    return sum;
  }

  private static String strategy(Replication replication) {
    if (replication instanceof HashOrderedReplication) {
      return "PorStrategy";
    }
    return replication.byDatacenter() ? "NetworkTopologyStrategy" : "SimpleStrategy";
  }
}
