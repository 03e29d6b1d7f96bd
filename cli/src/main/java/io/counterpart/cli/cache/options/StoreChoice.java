package io.counterpart.cli.cache.options;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cache.service.StoreOptions;
import io.counterpart.cache.store.StoreLimits;
import io.counterpart.cache.store.cassandra.CassandraLogin;
import io.counterpart.cache.store.cassandra.CassandraOptions;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cluster.ContactPoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the tier's persistent store, if it has one; mixed into commands. */
public final class StoreChoice {

  /** Names of all options here. */
  static final List<String> NAMES =
      List.of(
          "--store",
          "--store-contact",
          "--store-datacenter",
          "--store-keyspace",
          "--store-table",
          "--store-replication",
          "--store-read-level",
          "--store-write-level",
          "--store-write",
          "--store-login");

  private static final String NONE = "none";
  private static final String CASSANDRA = "cassandra";
  private static final String THROUGH = "through";
  private static final String BEHIND = "behind";

  @Option(
      names = "--store",
      paramLabel = "NAME",
      defaultValue = NONE,
      description =
          "Persistent store behind the tier: cassandra, which has every object too, or none"
              + " (default: none).")
  private String store = NONE;

  @Option(
      names = "--store-contact",
      paramLabel = "HOST[:PORT]",
      split = ",",
      description = "Cassandra node, port 9042 if none; repeatable (default: 127.0.0.1).")
  private List<String> contacts = new ArrayList<>();

  @Option(
      names = "--store-datacenter",
      paramLabel = "NAME",
      description = "Datacenter whose nodes are asked (default: that of the first node).")
  private @Nullable String datacenter;

  @Option(
      names = "--store-keyspace",
      paramLabel = "NAME",
      description = "Made if it is not there (default: counterpart_cache).")
  private @Nullable String keyspace;

  @Option(
      names = "--store-table",
      paramLabel = "NAME",
      description = "Made if it is not there; one for each tier (default: objects).")
  private @Nullable String table;

  @Option(
      names = "--store-replication",
      paramLabel = "N",
      description = "Copies in a keyspace that is made, 1 to 100 (default: 3, or all nodes).")
  private @Nullable Integer replication;

  @Option(
      names = "--store-read-level",
      paramLabel = "CL",
      description = "Consistency level of reads (default: LOCAL_QUORUM).")
  private @Nullable String readLevel;

  @Option(
      names = "--store-write-level",
      paramLabel = "CL",
      description = "Consistency level of writes (default: LOCAL_QUORUM).")
  private @Nullable String writeLevel;

  @Option(
      names = "--store-write",
      paramLabel = "HOW",
      description =
          "through: acknowledged when Cassandra has it; behind: when it is on the proxy's disk,"
              + " Cassandra gets it within a second (default: through).")
  private @Nullable String write;

  @Option(
      names = "--store-login",
      paramLabel = "FILE",
      description = "Cassandra's user and password, one line user:password.")
  private @Nullable Path login;

  public boolean isOn() {
    return store.equals(CASSANDRA);
  }

  /** Whether changes are first on the proxy's disk. */
  public boolean isBehind() {
    return BEHIND.equals(write);
  }

  /**
   * Checks all options that need no file.
   *
   * @throws IllegalArgumentException with the option, its value and the legal range
   */
  void check() {
    if (!isOn() && !store.equals(NONE)) {
      throw new IllegalArgumentException(
          "--store is '%s', legal: %s, %s".formatted(store, CASSANDRA, NONE));
    }
    if (!isOn()) {
      requireNoDetails();
      return;
    }
    if (write != null && !write.equals(THROUGH) && !write.equals(BEHIND)) {
      throw new IllegalArgumentException(
          "--store-write is '%s', legal: %s, %s".formatted(write, THROUGH, BEHIND));
    }
    cassandra(null);
  }

  private void requireNoDetails() {
    for (Map.Entry<String, String> detail : details().entrySet()) {
      throw new IllegalArgumentException(
          "%s is '%s', but there is no store: add --store=cassandra, or leave it out"
              .formatted(detail.getKey(), detail.getValue()));
    }
  }

  /** The contact points. */
  public List<InetSocketAddress> contacts() {
    List<String> given = contacts.isEmpty() ? List.of("127.0.0.1") : contacts;
    return given.stream().map(StoreChoice::contact).toList();
  }

  /** The notation of users. */
  public static String names(List<InetSocketAddress> contacts) {
    return contacts.stream()
        .map(address -> address.getHostString() + ":" + address.getPort())
        .collect(Collectors.joining(", "));
  }

  private static InetSocketAddress contact(String text) {
    try {
      ContactPoint point = ContactPoint.parse(text);
      InetSocketAddress address = new InetSocketAddress(point.host(), point.port());
      if (address.isUnresolved()) {
        throw new IllegalArgumentException("host '%s' is not known".formatted(point.host()));
      }
      return address;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--store-contact: " + e.getMessage(), e);
    }
  }

  private CassandraOptions cassandra(@Nullable CassandraLogin user) {
    try {
      return new CassandraOptions(
          contacts(),
          datacenter,
          keyspace == null ? CassandraOptions.DEFAULT_KEYSPACE : keyspace,
          replication,
          table == null ? CassandraOptions.DEFAULT_TABLE : table,
          level("--store-read-level", readLevel),
          level("--store-write-level", writeLevel),
          CassandraOptions.DEFAULT_TIMEOUT,
          user);
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      throw new IllegalArgumentException(
          message.startsWith("--") ? message : "--store: " + message, e);
    }
  }

  private static DefaultConsistencyLevel level(String option, @Nullable String name) {
    if (name == null) {
      return DefaultConsistencyLevel.LOCAL_QUORUM;
    }
    try {
      return DefaultConsistencyLevel.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s is '%s', legal: %s"
              .formatted(option, name, Arrays.toString(DefaultConsistencyLevel.values())),
          e);
    }
  }

  /**
   * The options of the store at the proxy's start; reads the file. Null for no store.
   *
   * @param behindLog directory for write-behind
   * @throws PreconditionException if the file is missing or malformed
   */
  public @Nullable StoreOptions options(Path behindLog) {
    return isOn()
        ? new StoreOptions(cassandra(login()), StoreLimits.DEFAULT, isBehind() ? behindLog : null)
        : null;
  }

  /** The description for people; null for no store. */
  public @Nullable String description() {
    return isOn()
        ? new StoreOptions(cassandra(null), StoreLimits.DEFAULT, isBehind() ? Path.of("") : null)
            .toString()
        : null;
  }

  private @Nullable CassandraLogin login() {
    if (login == null) {
      return null;
    }
    try {
      String line = Files.readString(login).strip();
      int colon = line.indexOf(':');
      if (colon < 1 || line.contains("\n")) {
        throw new PreconditionException(
            "--store-login: %s is not one line user:password".formatted(login));
      }
      return new CassandraLogin(line.substring(0, colon), line.substring(colon + 1));
    } catch (IOException e) {
      throw new PreconditionException("--store-login: cannot read " + e.getMessage());
    }
  }

  /** Every option of the store, from which the same one can be used again. */
  public Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("--store", store);
    values.putAll(details());
    return values;
  }

  private Map<String, String> details() {
    Map<String, String> values = new LinkedHashMap<>();
    if (!contacts.isEmpty()) {
      values.put("--store-contact", String.join(",", contacts));
    }
    put(values, "--store-datacenter", datacenter);
    put(values, "--store-keyspace", keyspace);
    put(values, "--store-table", table);
    put(values, "--store-replication", replication);
    put(values, "--store-read-level", readLevel);
    put(values, "--store-write-level", writeLevel);
    put(values, "--store-write", write);
    put(values, "--store-login", login == null ? null : login.toAbsolutePath().normalize());
    return values;
  }

  private static void put(Map<String, String> values, String option, @Nullable Object value) {
    if (value != null) {
      values.put(option, value.toString());
    }
  }
}
