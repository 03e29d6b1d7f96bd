package io.counterpart.lab.remote;

import io.counterpart.cluster.Login;
import io.counterpart.lab.setup.RunRefusedException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How a cluster that somebody else runs is reached.
 *
 * @param contactPoints at least one
 * @param datacenter whose nodes are worked on; null for that of the contact points
 * @param login for CQL; null where none is asked for
 * @param jmxPort of every node; empty for what each node says, which is 7199 as a rule
 * @param jmxLogin for JMX; null where none is asked for
 */
public record RemoteAccess(
    List<ContactPoint> contactPoints,
    @Nullable String datacenter,
    @Nullable Login login,
    OptionalInt jmxPort,
    @Nullable Login jmxLogin) {
  /** Checks that there is somebody to ask. */
  public RemoteAccess {
    contactPoints = List.copyOf(contactPoints);
    if (contactPoints.isEmpty()) {
      throw new IllegalArgumentException("contact points: needs at least one");
    }
  }

  /**
   * The contact points' addresses.
   *
   * @throws RunRefusedException if a name is unknown
   */
  List<InetSocketAddress> addresses() {
    List<InetSocketAddress> addresses =
        contactPoints.stream()
            .map(point -> new InetSocketAddress(point.host(), point.port()))
            .toList();
    for (InetSocketAddress address : addresses) {
      if (address.isUnresolved()) {
        throw new RunRefusedException(
            "contact point %s: there is no host of that name".formatted(address.getHostString()));
      }
    }
    return addresses;
  }
}
