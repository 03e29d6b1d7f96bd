package io.counterpart.lab.remote;

import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import io.counterpart.cluster.ContactPoint;
import io.counterpart.cluster.jmx.JmxEndpoint;
import io.counterpart.cluster.jmx.Login;
import io.counterpart.lab.setup.RunRefusedException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Addresses and logins of a cluster that somebody else runs.
 *
 * @param contactPoints at least one
 * @param datacenter whose nodes are worked on; null for that of the contact points
 * @param login for CQL; null where none is asked for
 * @param jmxPort of every node; empty for what each node says, which is 7199 as a rule
 * @param jmxLogin for JMX; null where none is asked for
 * @param tls null where nothing is encrypted
 */
public record RemoteAccess(
    List<ContactPoint> contactPoints,
    @Nullable String datacenter,
    @Nullable Login login,
    OptionalInt jmxPort,
    @Nullable Login jmxLogin,
    @Nullable RemoteTls tls) {
  /** Time for a node's JMX to answer at first: a busy small machine needs seconds for TLS. */
  static final Duration JMX_LIMIT = Duration.ofSeconds(15);

  /** Checks that there is somebody to ask. */
  public RemoteAccess {
    contactPoints = List.copyOf(contactPoints);
    if (contactPoints.isEmpty()) {
      throw new IllegalArgumentException("contact points: needs at least one");
    }
  }

  /** Plain connections. */
  public RemoteAccess(
      List<ContactPoint> contactPoints,
      @Nullable String datacenter,
      @Nullable Login login,
      OptionalInt jmxPort,
      @Nullable Login jmxLogin) {
    this(contactPoints, datacenter, login, jmxPort, jmxLogin, null);
  }

  /** A session's login and encryption. */
  CqlSessionBuilder admit(CqlSessionBuilder builder) {
    CqlSessionBuilder named =
        login == null ? builder : builder.withAuthCredentials(login.user(), login.password());
    return tls == null ? named : tls.encrypt(named);
  }

  /** A node's JMX, with this login and encryption. */
  public JmxEndpoint jmx(String host, int port) {
    if (tls != null) {
      tls.prepareJmx();
    }
    return new JmxEndpoint(host, port, jmxLogin, isJmxEncrypted());
  }

  boolean isCqlEncrypted() {
    return tls != null && tls.cql();
  }

  boolean isJmxEncrypted() {
    return tls != null && tls.jmx();
  }

  /** What is encrypted, for people. */
  String describeEncryption() {
    return tls == null ? "none" : tls.describe();
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
