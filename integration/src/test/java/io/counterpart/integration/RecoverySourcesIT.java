package io.counterpart.integration;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.core.recovery.OwnedRanges;
import io.counterpart.core.recovery.RecoveryMode;
import io.counterpart.core.recovery.RecoveryPolicy;
import io.counterpart.core.recovery.RecoveryStep;
import io.counterpart.core.recovery.ReplicatedRange;
import io.counterpart.core.recovery.TokenRange;
import io.counterpart.recovery.Recovery;
import io.counterpart.recovery.RecoveryListener;
import io.counterpart.recovery.RecoveryProgress;
import io.counterpart.recovery.RecoveryResult;
import io.counterpart.recovery.RecoverySettings;
import io.counterpart.recovery.StockRecovery;
import io.counterpart.recovery.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A wiped node receives the small redundant copies of a table with formats by role. */
@OnCluster(Shape.THREE_NODES)
class RecoverySourcesIT {
  private static final String KEYSPACE = "recovery_sources";
  private static final Path STATE = Shape.HOME.resolve("recovery/sources.json");

  /** What Cassandra logs of each range that it is about to stream. */
  private static final Pattern STREAMED =
      Pattern.compile(
          "Streaming range \\((-?\\d+),(-?\\d+)] from endpoint \\S*/(\\S+) for keyspace "
              + KEYSPACE);

  /** Zstd in 64 KiB leaves three quarters of these values, LZ4 in 4 KiB nearly all. */
  private static final double SAVED = 0.92;

  private static final Duration SEEN_DOWN = Duration.ofSeconds(120);
  private static final Duration LOGGED = Duration.ofSeconds(60);

  private final Seed seed = Seed.of(RecoverySourcesIT.class);

  @Test
  void ranges_come_from_redundant_copies(TestCluster cluster) throws Exception {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    AcknowledgedWrites rows =
        new AcknowledgedWrites(
            cluster, KEYSPACE + ".t", OwnFormat.table(Map.of("runs", "3")), 2000, 1000, seed);
    rows.writeAllAndFlush(3);
    cluster.settle(KEYSPACE, "t");
    cluster.compact(KEYSPACE);
    cluster.settle(KEYSPACE, "t");

    long stockBytes = stockRebuild(cluster, rows);
    long bytes = fromRedundantCopies(cluster, rows);
    assertThat((double) bytes / stockBytes).as("bytes ÷ those of a rebuild").isLessThan(SAVED);
    withoutASourceThatDied(cluster, rows);
    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }

  private static long stockRebuild(TestCluster cluster, AcknowledgedWrites rows) throws Exception {
    Node node = wipe(cluster);
    int logged = streamed(node).size();
    try (NodeJmx jmx = node.jmx()) {
      OwnedRanges ranges = recovery(jmx).plan().restores().get(0).ranges();
      long bytes = new StockRecovery(jmx).rebuild(KEYSPACE).receivedBytes();

      Map<TokenRange, String> sources = sources(node, logged, ranges);
      assertThat(ranges.redundant())
          .as("what the next test is measured against: %s", sources)
          .allMatch(range -> range.endpoints().get(0).equals(sources.get(range.range())));
      rows.check(node, DefaultConsistencyLevel.ONE);
      return bytes;
    }
  }

  private static long fromRedundantCopies(TestCluster cluster, AcknowledgedWrites rows)
      throws Exception {
    Node node = wipe(cluster);
    int logged = streamed(node).size();
    try (NodeJmx jmx = node.jmx()) {
      Recovery recovery = recovery(jmx);
      OwnedRanges ranges = recovery.plan().restores().get(0).ranges();
      RecoveryResult result = recovery.run(RecoveryListener.DEAF);

      assertThat(result.inSync()).isTrue();
      Map<TokenRange, String> sources = sources(node, logged, ranges);
      assertThat(ranges.all())
          .as("sources: %s", sources)
          .noneMatch(range -> range.endpoints().get(0).equals(sources.get(range.range())));
      rows.check(node, DefaultConsistencyLevel.ONE);
      return result.keyspaces().get(0).receivedBytes();
    }
  }

  /** The source of the second step dies after the first: the third node gives all the same. */
  private static void withoutASourceThatDied(TestCluster cluster, AcknowledgedWrites rows)
      throws Exception {
    Node node = wipe(cluster);
    try (NodeJmx jmx = node.jmx()) {
      Recovery recovery = recovery(jmx);
      List<RecoveryStep> steps = recovery.plan().restores().get(0).steps();
      assertThat(steps).hasSize(2);
      String named = steps.get(1).sources().iterator().next();
      Node source =
          cluster.live().stream()
              .filter(each -> named.startsWith(each.address() + ":"))
              .findFirst()
              .orElseThrow();
      TestCluster.flushSchema(source);
      CrashAfterFirstStep crash = new CrashAfterFirstStep(source, jmx);
      RecoveryResult result = recovery.run(crash);

      assertThat(crash.said).anyMatch(line -> line.contains("[" + named + "] is down"));
      assertThat(result.keyspaces().get(0).verdict()).isEqualTo(Verdict.UNVERIFIED);
      rows.check(node, DefaultConsistencyLevel.ONE);
      source.start(StartListener.SILENT);
    }
    rows.checkEverywhere();
  }

  /** Kills a node between two steps; goes on when the recovering one sees that. */
  private static final class CrashAfterFirstStep implements RecoveryListener {
    final List<String> said = new ArrayList<>();
    private final Node source;
    private final NodeJmx recovering;

    CrashAfterFirstStep(Node source, NodeJmx recovering) {
      this.source = source;
      this.recovering = recovering;
    }

    @Override
    public void say(String line) {
      said.add(line);
    }

    @Override
    public void progress(RecoveryProgress progress) {
      if (progress.redundantDone() > 0 && source.isAlive()) {
        source.kill();
        await().atMost(SEEN_DOWN).until(this::isSeenDown);
      }
    }

    private boolean isSeenDown() {
      Object unreachable = recovering.attribute(NodeJmx.STORAGE_SERVICE, "UnreachableNodes");
      return ((List<?>) unreachable).contains(source.address());
    }
  }

  /** In one step for each set of sources. */
  private static Recovery recovery(NodeJmx jmx) throws IOException {
    Files.deleteIfExists(STATE);
    return new Recovery(
        jmx,
        new RecoverySettings(
            List.of(KEYSPACE), new RecoveryPolicy(RecoveryMode.AUTO, OptionalInt.of(1)), STATE));
  }

  private static Node wipe(TestCluster cluster) {
    Node node = cluster.node(2);
    node.kill();
    node.wipe();
    node.start(StartListener.SILENT);
    return node;
  }

  private record Streamed(TokenRange range, String source) {}

  private static List<Streamed> streamed(Node node) throws IOException {
    Matcher found = STREAMED.matcher(Files.readString(node.logFile()));
    List<Streamed> streamed = new ArrayList<>();
    while (found.find()) {
      streamed.add(new Streamed(TokenRange.parse(found.group(1), found.group(2)), found.group(3)));
    }
    return streamed;
  }

  /**
   * The source of each range, which all have been streamed once.
   *
   * @param before ranges that the log had before
   */
  private static Map<TokenRange, String> sources(Node node, int before, OwnedRanges ranges) {
    Set<TokenRange> all = Set.copyOf(ranges.all().stream().map(ReplicatedRange::range).toList());
    await()
        .atMost(LOGGED)
        .untilAsserted(() -> assertThat(streamed(node)).hasSize(before + all.size()));
    try {
      List<Streamed> streamed = streamed(node);
      Map<TokenRange, String> sources =
          streamed.subList(before, streamed.size()).stream()
              .collect(toMap(Streamed::range, Streamed::source));
      assertThat(sources.keySet()).isEqualTo(all);
      return sources;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
