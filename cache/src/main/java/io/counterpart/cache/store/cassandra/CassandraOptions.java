package io.counterpart.cache.store.cassandra;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The Cassandra table that keeps objects, and how it is accessed.
 *
 * @param contactPoints one node or more; the driver finds the others
 * @param localDatacenter datacenter of the nodes to use; null for that of the contact points
 * @param keyspace 1 to 48 characters a–z, 0–9 and _, a letter first; created if absent
 * @param replicationFactor replication factor of a created keyspace, 1 to 100, in the local
 *     datacenter; null for 3, or the number of nodes if that is less
 * @param table legal names as for the keyspace; created if absent
 * @param readLevel not ANY, EACH_QUORUM or a serial level. Reads see all acknowledged writes only
 *     if read and write levels overlap in a replica, as both defaults do
 * @param writeLevel not ANY or a serial one
 * @param timeout time after which a request has failed, 50 ms to 60 s
 * @param login null where none is asked for
 */
public record CassandraOptions(
    List<InetSocketAddress> contactPoints,
    @Nullable String localDatacenter,
    String keyspace,
    @Nullable Integer replicationFactor,
    String table,
    DefaultConsistencyLevel readLevel,
    DefaultConsistencyLevel writeLevel,
    Duration timeout,
    @Nullable CassandraLogin login) {
  /** Keyspace unless another is given. */
  public static final String DEFAULT_KEYSPACE = "counterpart_cache";

  /** Table unless another is given. */
  public static final String DEFAULT_TABLE = "objects";

  /** Timeout unless another is given. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,47}");
  private static final Duration MIN_TIMEOUT = Duration.ofMillis(50);
  private static final Duration MAX_TIMEOUT = Duration.ofSeconds(60);
  private static final int MAX_REPLICATION_FACTOR = 100;
  private static final Set<DefaultConsistencyLevel> WRITE_LEVELS =
      EnumSet.of(
          DefaultConsistencyLevel.ONE,
          DefaultConsistencyLevel.TWO,
          DefaultConsistencyLevel.THREE,
          DefaultConsistencyLevel.QUORUM,
          DefaultConsistencyLevel.ALL,
          DefaultConsistencyLevel.LOCAL_ONE,
          DefaultConsistencyLevel.LOCAL_QUORUM,
          DefaultConsistencyLevel.EACH_QUORUM);
  private static final Set<DefaultConsistencyLevel> READ_LEVELS = readLevels();

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException with the value and the legal range
   */
  public CassandraOptions {
    contactPoints = List.copyOf(contactPoints);
    if (contactPoints.isEmpty()) {
      throw new IllegalArgumentException("no contact point, legal: 1 or more");
    }
    requireName("keyspace", keyspace);
    requireName("table", table);
    if (localDatacenter != null && localDatacenter.isBlank()) {
      throw new IllegalArgumentException(
          "local datacenter is blank, legal: a datacenter's name, or none");
    }
    if (replicationFactor != null
        && (replicationFactor < 1 || replicationFactor > MAX_REPLICATION_FACTOR)) {
      throw new IllegalArgumentException(
          "replication factor %d, legal: 1 to %d"
              .formatted(replicationFactor, MAX_REPLICATION_FACTOR));
    }
    requireLevel("read consistency level", readLevel, READ_LEVELS);
    requireLevel("write consistency level", writeLevel, WRITE_LEVELS);
    if (timeout.compareTo(MIN_TIMEOUT) < 0 || timeout.compareTo(MAX_TIMEOUT) > 0) {
      throw new IllegalArgumentException(
          "timeout of the persistent store: %d ms, legal: %d to %d ms"
              .formatted(timeout.toMillis(), MIN_TIMEOUT.toMillis(), MAX_TIMEOUT.toMillis()));
    }
  }

  /** LOCAL_QUORUM both ways, and the default names and timeout, without a login. */
  public static CassandraOptions of(List<InetSocketAddress> contactPoints) {
    return new CassandraOptions(
        contactPoints,
        null,
        DEFAULT_KEYSPACE,
        null,
        DEFAULT_TABLE,
        DefaultConsistencyLevel.LOCAL_QUORUM,
        DefaultConsistencyLevel.LOCAL_QUORUM,
        DEFAULT_TIMEOUT,
        null);
  }

  private static Set<DefaultConsistencyLevel> readLevels() {
    Set<DefaultConsistencyLevel> levels = EnumSet.copyOf(WRITE_LEVELS);
    levels.remove(DefaultConsistencyLevel.EACH_QUORUM);
    return levels;
  }

  private static void requireName(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "%s '%s', legal: 1 to 48 characters a-z, 0-9 and _, a letter first"
              .formatted(what, name));
    }
  }

  private static void requireLevel(
      String what, DefaultConsistencyLevel level, Set<DefaultConsistencyLevel> legal) {
    if (!legal.contains(level)) {
      throw new IllegalArgumentException("%s %s, legal: %s".formatted(what, level, legal));
    }
  }
}
