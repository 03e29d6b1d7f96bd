package io.counterpart.cassandra.gossip;

import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.gms.VersionedValue;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;

/**
 * A word that each node tells the others by gossip, until its process ends. Thread-safe.
 *
 * @param state one of those that Cassandra leaves to others; each has one use
 */
public record SoftState(ApplicationState state) {

  /** What a node has said last; empty if it has said nothing. */
  public String of(InetAddressAndPort endpoint) {
    EndpointState known = Gossiper.instance.getEndpointStateForEndpoint(endpoint);
    VersionedValue said = known == null ? null : known.getApplicationState(state);
    return said == null ? "" : said.value;
  }

  /** Has this node say something, if it is news and gossip has begun. */
  public void tell(String word) {
    InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
    if (Gossiper.instance.getEndpointStateForEndpoint(self) != null && !word.equals(of(self))) {
      Gossiper.instance.addLocalApplicationState(
          state, StorageService.instance.valueFactory.rack(word));
    }
  }
}
