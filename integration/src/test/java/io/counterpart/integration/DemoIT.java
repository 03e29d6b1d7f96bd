package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Node;
import io.counterpart.memcached.MemcachedProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demonstration as a user runs it, at a size that shows only that it works: nothing lost, every
 * figure measured.
 */
@OnUsualPorts
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DemoIT {
  /** Too few for the servers to be warmed up first. */
  private static final int ROWS = 2_500;

  private static final int UPDATES = 500;

  /** Not where a user's last summary lies. */
  private static final Path TARGET = Path.of("target/demo-it/out").toAbsolutePath();

  private final Launcher launcher = new Launcher(Path.of("target/demo-it").toAbsolutePath());

  @Test
  @Order(1)
  @Timeout(900)
  void measures_and_checks_every_arm_through_a_wipe() throws Exception {
    JsonNode summary =
        launcher
            .run(
                "demo",
                "--nodes=3",
                "--rows=" + ROWS,
                "--updates=" + UPDATES,
                "--seed=11",
                "--out=" + TARGET,
                "--json")
            .ok()
            .json();

    assertThat(summary)
        .isEqualTo(new ObjectMapper().readTree(TARGET.resolve("summary.json").toFile()));
    assertThat(summary.get("lost").asLong()).isZero();
    assertThat(summary.get("wrong").asLong()).isZero();
    assertThat(summary.get("config").get("rows").asInt()).isEqualTo(ROWS);
    JsonNode arms = summary.get("arms");
    assertThat(arms.fieldNames()).toIterable().containsExactly("decoupled_t4", "lcs", "ucs_t4");
    // before and after the wipe
    assertThat(summary.get("checked").asLong()).isEqualTo(2L * ROWS * arms.size());
    assertMemoryTier(summary.get("memoryTier"));
    assertThat(arms.at("/decoupled_t4/sstables").asDouble())
        .as("sstables of a small table")
        .isPositive()
        .isLessThanOrEqualTo(1.2 * arms.at("/ucs_t4/sstables").asDouble());
    for (JsonNode arm : arms) {
      assertThat(arm.get("bytesFlushed").asDouble()).isGreaterThan(3.0 * ROWS * 1024);
      assertThat(arm.get("diskBytes").asDouble()).isGreaterThan(2.9 * ROWS * 1024);
      assertThat(arm.get("cpuSeconds").asDouble()).isPositive();
      assertThat(arm.get("recoverySeconds").asDouble()).isPositive();
      assertThat(arm.get("failedWrites").asLong()).isZero();
      assertThat(arm.get("recoveredBytes").asDouble()).isGreaterThan(1e6);
      assertThat(arm.get("disagreeingReads").asLong()).isZero();
    }
  }

  private static void assertMemoryTier(JsonNode tier) {
    if (MemcachedProgram.find("memcached").isEmpty()) {
      assertThat(tier.isNull()).isTrue();
      return;
    }
    long objects = tier.get("objects").asLong();
    assertThat(tier.get("code").asText()).isEqualTo("(5,3)");
    assertThat(tier.get("killed").asInt()).isEqualTo(2);
    assertThat(tier.get("degradedReads").asLong()).isBetween(objects / 20, objects);
    assertThat(tier.get("restoredObjects").asLong()).isPositive();
    assertThat(tier.get("added").asInt()).isEqualTo(5);
    assertThat(tier.get("movedObjects").asLong()).isBetween(objects / 20, objects);
    assertThat(tier.get("checked").asLong()).isEqualTo(2 * objects);
    for (String problem : List.of("lost", "wrong", "unread")) {
      assertThat(tier.get(problem).asLong()).as(problem).isZero();
    }
    assertThat(tier.get("seconds").asLong()).isLessThan(120);
  }

  @Test
  @Order(3)
  @Timeout(300)
  void the_memory_tiers_part_interrupted_leaves_no_process(@TempDir Path directory)
      throws Exception {
    assumeThat(MemcachedProgram.find("memcached")).as(MemcachedProgram.ADVICE).isPresent();
    Path log = directory.resolve("log.txt");
    Process demo = new Launcher(directory).startInto(log, "demo", "--part=tier", "--out=" + TARGET);
    await()
        .atMost(Duration.ofSeconds(120))
        .failFast("the demo ended: " + log, () -> !demo.isAlive())
        .until(() -> Files.exists(log) && Files.readString(log).contains("tier load"));
    List<ProcessHandle> servers = demo.descendants().toList();
    assertThat(servers).hasSizeGreaterThan(10);

    Launcher.interrupt(demo);

    assertThat(demo.waitFor()).isEqualTo(130);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> servers.stream().noneMatch(ProcessHandle::isAlive));
    assertThat(log).content().doesNotContain("counterpart: ");
  }

  @Test
  @Order(4)
  @Timeout(300)
  void the_memory_tiers_part_says_what_it_did() throws Exception {
    assumeThat(MemcachedProgram.find("memcached")).as(MemcachedProgram.ADVICE).isPresent();

    Launcher.Outcome demo = launcher.run("demo", "--part=tier", "--out=" + TARGET).ok();

    assertThat(demo.out())
        .contains("5000 objects of 1000 bytes under a (5,3) code on 10 memcached servers")
        .containsPattern("2 servers killed: every object read, [1-9]\\d* by decoding")
        .containsPattern("5 servers added: [1-9]\\d* objects moved, every object read again")
        .contains("10,000 values were compared byte by byte")
        .contains("0 lost, 0 wrong, 0 unreadable.");
  }

  @Test
  @Order(2)
  @Timeout(300)
  void a_second_run_interrupted_leaves_no_process() throws Exception {
    Process demo = launcher.start("demo", "--nodes=3", "--out=" + TARGET);
    Path home = TARGET.resolve("cluster");
    await()
        .atMost(Duration.ofSeconds(240))
        .until(
            () ->
                Cluster.recorded(home)
                    .filter(cluster -> cluster.nodes().stream().anyMatch(Node::isAlive))
                    .isPresent());
    Cluster cluster = Cluster.recorded(home).orElseThrow();

    Launcher.interrupt(demo);

    assertThat(demo.waitFor()).isEqualTo(130);
    assertThat(cluster.nodes()).noneMatch(Node::isAlive);
    assertThat(Files.exists(TARGET.resolve("summary.json"))).as("of the first run").isTrue();
  }
}
