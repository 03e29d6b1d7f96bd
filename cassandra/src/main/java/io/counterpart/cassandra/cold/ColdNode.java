package io.counterpart.cassandra.cold;

import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.gms.VersionedValue;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Whether nodes have cold tables, as they tell each other by gossip: soft state, which ends with
 * the process. Thread-safe.
 */
public final class ColdNode {
  /** One of those that Cassandra leaves to others. */
  private static final ApplicationState STATE = ApplicationState.X1;

  private static final String COLD = "counterpart:cold";
  private static final String WARM = "counterpart:warm";

  private ColdNode() {}

  /** What a node has said last; one that has said nothing is not cold. */
  public static boolean isCold(InetAddressAndPort endpoint) {
    EndpointState known = Gossiper.instance.getEndpointStateForEndpoint(endpoint);
    VersionedValue said = known == null ? null : known.getApplicationState(STATE);
    return said != null && COLD.equals(said.value);
  }

  /** Whether any node that is up has said so. */
  public static boolean isAnyCold() {
    return Gossiper.instance.getLiveMembers().stream().anyMatch(ColdNode::isCold);
  }

  /** Tells the others about this node, if it is news and gossip has begun. */
  static synchronized void tell(boolean isCold) {
    InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
    if (Gossiper.instance.getEndpointStateForEndpoint(self) != null && isCold != isCold(self)) {
      Gossiper.instance.addLocalApplicationState(
          STATE, StorageService.instance.valueFactory.rack(isCold ? COLD : WARM));
    }
  }
}
