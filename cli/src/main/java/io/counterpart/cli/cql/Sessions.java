package io.counterpart.cli.cql;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.counterpart.cli.console.PreconditionException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Driver sessions for short commands: few threads and connections, patient with a small machine.
 */
public final class Sessions {

  private Sessions() {}

  /**
   * Connects to the cluster by one of its nodes.
   *
   * @throws PreconditionException if nothing answers there
   */
  public static CqlSession open(String host, int port) {
    DriverConfigLoader config =
        DriverConfigLoader.programmaticBuilder()
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(60))
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(10))
            .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, Duration.ofSeconds(10))
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, Duration.ofSeconds(10))
            .withDuration(
                DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, Duration.ofSeconds(20))
            // any node may answer: a statement's host is a contact point, not a place
            .withClass(
                DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS,
                com.datastax.oss.driver.internal.core.loadbalancing.BasicLoadBalancingPolicy.class)
            .withInt(DefaultDriverOption.NETTY_IO_SIZE, 2)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
            // no wait for stragglers on exit of a short command
            .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
            .build();
    try {
      return CqlSession.builder()
          .withConfigLoader(config)
          .addContactPoint(new InetSocketAddress(host, port))
          .build();
    } catch (AllNodesFailedException e) {
      throw new PreconditionException("no node answers CQL on " + host + ":" + port);
    }
  }
}
