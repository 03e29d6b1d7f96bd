package io.counterpart.lab.workload;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.counterpart.cluster.Node;
import io.counterpart.driver.PrimaryReplicaPolicy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** Opens driver sessions tuned for a client that shares a few cores with its servers. */
public final class LabSession {
  private LabSession() {}

  /**
   * A session that routes by token (the driver's default), with a profile for each {@link
   * ReadRouting}, and waits long, since a loaded small machine is slow rather than broken.
   */
  public static CqlSession open(List<Node> nodes) {
    return open(
        nodes.stream().map(n -> new InetSocketAddress(n.address(), n.cqlPort())).toList(),
        nodes.get(0).location().dc(),
        UnaryOperator.identity());
  }

  /**
   * The same on nodes that somebody else runs.
   *
   * @param contactPoints some of them
   * @param dc the datacenter that is worked in
   * @param admission adds what they ask for, such as a login
   */
  public static CqlSession open(
      List<InetSocketAddress> contactPoints,
      String dc,
      UnaryOperator<CqlSessionBuilder> admission) {
    DriverConfigLoader config =
        DriverConfigLoader.programmaticBuilder()
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(20))
            .withDuration(
                DefaultDriverOption.CONNECTION_SET_KEYSPACE_TIMEOUT, Duration.ofSeconds(20))
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, Duration.ofSeconds(20))
            .withDuration(
                DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, Duration.ofSeconds(30))
            .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, Duration.ofSeconds(20))
            .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(500))
            .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(2))
            .withInt(DefaultDriverOption.NETTY_IO_SIZE, 2)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
            // nothing is under way when the lab closes it; the default waits for 2 s of silence
            .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
            .startProfile(ReadRouting.PRIMARY_REPLICA.profile())
            .withClass(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, PrimaryReplicaPolicy.class)
            .withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, dc)
            // measured is how the cluster treats a slow node, not how the driver avoids it
            .withBoolean(DefaultDriverOption.LOAD_BALANCING_POLICY_SLOW_AVOIDANCE, false)
            .endProfile()
            .startProfile(ReadRouting.SHUFFLED_REPLICAS.profile())
            .withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, dc)
            .withBoolean(DefaultDriverOption.LOAD_BALANCING_POLICY_SLOW_AVOIDANCE, false)
            .endProfile()
            .startProfile(ReadRouting.REDUNDANT_REPLICA.profile())
            .withClass(
                DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, RedundantReplicaPolicy.class)
            .withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, dc)
            .endProfile()
            .build();
    CqlSessionBuilder builder =
        CqlSession.builder()
            .withConfigLoader(config)
            .withLocalDatacenter(dc)
            .addContactPoints(contactPoints);
    return admission.apply(builder).build();
  }
}
