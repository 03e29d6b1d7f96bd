package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Installation;
import io.counterpart.cluster.Node;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

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
  private static final Path TARGET = Installation.locate().root().resolve("target/demo");

  private final Launcher launcher = new Launcher(Path.of("target/demo-it").toAbsolutePath());

  @Test
  @Order(1)
  @Timeout(600)
  void measures_and_checks_every_arm_through_a_wipe() throws Exception {
    JsonNode summary =
        launcher
            .run(
                "demo",
                "--nodes=3",
                "--rows=" + ROWS,
                "--updates=" + UPDATES,
                "--seed=11",
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

  @Test
  @Order(2)
  @Timeout(300)
  void a_second_run_interrupted_leaves_no_process() throws Exception {
    Process demo = launcher.start("demo", "--nodes=3");
    Path home = TARGET.resolve("cluster");
    await()
        .atMost(Duration.ofSeconds(120))
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
