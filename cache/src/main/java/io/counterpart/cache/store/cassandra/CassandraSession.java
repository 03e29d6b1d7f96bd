package io.counterpart.cache.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.internal.core.loadbalancing.DcInferringLoadBalancingPolicy;
import com.datastax.oss.driver.internal.core.specex.NoSpeculativeExecutionPolicy;
import java.time.Duration;
import java.util.List;

/**
 * Driver sessions for a proxy: few threads, one attempt at a time, soon aware of nodes that are
 * down and back.
 */
final class CassandraSession {
  /** Time-out of requests that are made once, at the start. */
  static final Duration SLOW = Duration.ofSeconds(10);

  private CassandraSession() {}

  static CqlSession open(CassandraOptions options) {
    CqlSessionBuilder builder =
        CqlSession.builder()
            .withConfigLoader(config(options))
            .addContactPoints(options.contactPoints());
    CassandraLogin login = options.login();
    if (login != null) {
      builder = builder.withAuthCredentials(login.user(), login.password());
    }
    return builder.build();
  }

  private static DriverConfigLoader config(CassandraOptions options) {
    ProgrammaticDriverConfigLoaderBuilder config =
        DriverConfigLoader.programmaticBuilder()
            .withString(DefaultDriverOption.SESSION_NAME, "counterpart-cache")
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, options.timeout())
            .withClass(
                DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS,
                NoSpeculativeExecutionPolicy.class)
            .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, SLOW)
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, SLOW)
            .withDuration(DefaultDriverOption.CONNECTION_SET_KEYSPACE_TIMEOUT, SLOW)
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, SLOW)
            .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, SLOW)
            .withDuration(DefaultDriverOption.HEARTBEAT_INTERVAL, Duration.ofSeconds(5))
            .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, Duration.ofSeconds(3))
            .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(500))
            .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(5))
            // of the schema the driver needs the keyspace's replication, to ask replicas themselves
            .withStringList(
                DefaultDriverOption.METADATA_SCHEMA_REFRESHED_KEYSPACES,
                List.of(options.keyspace()))
            .withInt(DefaultDriverOption.NETTY_IO_SIZE, 1)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
            .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0);
    String datacenter = options.localDatacenter();
    if (datacenter == null) {
      config =
          config.withClass(
              DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS,
              DcInferringLoadBalancingPolicy.class);
    } else {
      config = config.withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, datacenter);
    }
    return config.build();
  }
}
