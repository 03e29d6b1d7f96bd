package io.counterpart.cassandra.cold;

import io.counterpart.cassandra.gossip.SoftState;
import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Whether nodes have cold tables, as they tell each other by gossip: soft state, which ends with
 * the process. Thread-safe.
 */
public final class ColdNode {
  private static final SoftState STATE = new SoftState(ApplicationState.X1);

  private static final String COLD = "counterpart:cold";
  private static final String WARM = "counterpart:warm";

  private ColdNode() {}

  /** What a node has said last; one that has said nothing is not cold. */
  public static boolean isCold(InetAddressAndPort endpoint) {
    return COLD.equals(STATE.of(endpoint));
  }

  /** Whether any node that is up has said so. */
  public static boolean isAnyCold() {
    return Gossiper.instance.getLiveMembers().stream().anyMatch(ColdNode::isCold);
  }

  /** Tells the others about this node, if it is news and gossip has begun. */
  static synchronized void tell(boolean isCold) {
    if (isCold != isCold(FBUtilities.getBroadcastAddressAndPort())) {
      STATE.tell(isCold ? COLD : WARM);
    }
  }
}
