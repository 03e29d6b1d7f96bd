package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.layout.MemtableConfigurations;
import io.counterpart.cluster.server.ServerKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The storage engines of tests: those whose server is not installed are skipped aloud. */
final class EngineServers {
  /** Those that need no server. */
  static final List<String> EMBEDDED = List.of("lmdb", "memory");

  /** Names of the engines that nodes can have here. */
  static final List<String> ENGINES = installed();

  /** Those of them that have a server. */
  static final List<String> SERVERS =
      ENGINES.stream().filter(engine -> !EMBEDDED.contains(engine)).toList();

  /** The configuration of LMDB whose writes reach the store before they are acknowledged. */
  static final String DIRECT = direct("lmdb");

  /** Configurations whose writes reach the store before they are acknowledged. */
  static final List<String> DIRECTS =
      ENGINES.stream()
          .filter(engine -> !engine.equals("memory"))
          .map(EngineServers::direct)
          .toList();

  /** All that have a copy on disk or on a server, as arms of one test. */
  static final List<String> CONFIGURATIONS =
      Stream.concat(ENGINES.stream(), DIRECTS.stream()).toList();

  /** The configuration of LMDB whose stores are on a disk of their own. */
  static final String SMALL = "lmdb_small";

  /** Where that is; to be mounted before a table names it. */
  static final String SMALL_DIRECTORY =
      Path.of("target/engine-small-disk").toAbsolutePath().toString();

  /** The configuration of stores in memory alone, of which there is little. */
  static final String VOLATILE = "volatile";

  /** Twice the usual {@code absorb_sstables_after}, and more. */
  private static final Duration ABSORPTION = Duration.ofSeconds(150);

  private EngineServers() {}

  /** The configuration of an engine whose writes are direct, which clusters have with it. */
  static String direct(String engine) {
    return MemtableConfigurations.direct(engine);
  }

  /** A configuration in cassandra.yaml that differs from the engine's own by parameters. */
  static Map<String, Object> inheriting(String engine, Map<String, String> parameters) {
    return Map.of("inherits", engine, "parameters", parameters);
  }

  /** The same configuration, with a sweep a second, and sstables that stay. */
  static String swept(String configuration) {
    return configuration + "_swept";
  }

  /** What {@link #swept} names, of an engine and of its direct writes. */
  static Map<String, Object> sweeping(String engine, String mode) {
    return inheriting(
        engine, Map.of("mode", mode, "sweep_after", "1s", "absorb_sstables_after", "never"));
  }

  private static List<String> installed() {
    List<String> engines = new ArrayList<>(EMBEDDED);
    for (ServerKind kind : ServerKind.ALL) {
      kind.missing()
          .ifPresentOrElse(
              why -> System.err.println("SKIPPED: engine " + kind.engine() + ": " + why),
              () -> engines.add(kind.engine()));
    }
    return List.copyOf(engines);
  }

  /**
   * Asserts that a table has no sstables. Flushes go round a server that stands still for two
   * seconds when it is asked, and what they wrote is absorbed later.
   *
   * @param prefix of the table's name, before that of its configuration
   */
  static void assertAbsorbed(Node node, String keyspace, String prefix, String configuration) {
    String table = prefix + configuration;
    if (SERVERS.stream().anyMatch(configuration::startsWith)) {
      await()
          .alias(table + " on " + node)
          .atMost(ABSORPTION)
          .pollDelay(Duration.ZERO)
          .until(() -> DataFiles.of(node, keyspace, table).isEmpty());
    }
    assertThat(DataFiles.of(node, keyspace, table)).as("%s on %s", table, node).isEmpty();
  }

  /** Skips a test whose engine has no server here, aloud. */
  static void require(String engine) {
    Optional<String> missing = ServerKind.of(engine).orElseThrow().missing();
    missing.ifPresent(
        what ->
            System.err.println(
                "NOT TESTED: the engine " + engine + " on a real node needs " + what));
    Assumptions.assumeTrue(missing.isEmpty(), () -> "needs " + missing.orElse(""));
  }
}
