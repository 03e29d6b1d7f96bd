package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.awaitility.Awaitility.await;

import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Installation;
import io.counterpart.cluster.Node;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.ResultJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lab's commands on real nodes, as a user types them. */
@OnUsualPorts
class LabCommandIT {
  private static final List<String> LONG_RUN =
      List.of(
          "lab",
          "custom",
          "--nodes=1",
          "--rf=1",
          "--rows=1000",
          "--operations=250",
          "--repeats=100",
          "--warm-ups=0",
          "--mix=read",
          "--rate=500",
          "--value-size=64",
          "--arms=mine",
          "--arm",
          "mine={'class': 'UnifiedCompactionStrategy', 'scaling_parameters': 'T8'}",
          "--no-live");

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void leave_nothing() throws Exception {
    for (Process process : started) {
      Launcher.interrupt(process);
      process.waitFor();
    }
  }

  @Test
  void ctrl_c_keeps_what_was_measured_and_leaves_no_process(@TempDir Path directory)
      throws Exception {
    Launcher launcher = new Launcher(directory);
    Path log = directory.resolve("log.txt");
    Path kept = directory.resolve("kept");
    Process run = launcher.startInto(log, LONG_RUN, "--out=" + kept);
    started.add(run);
    await()
        .atMost(Duration.ofSeconds(240))
        .failFast("the run ended: " + log, () -> !run.isAlive())
        .until(
            () ->
                Files.exists(log) && Files.readString(log).contains("mine_rf1 read 10 (15 of 106"));

    Launcher.interrupt(run);

    assertThat(run.waitFor()).isEqualTo(130);
    Path home = Installation.locate().root().resolve("target/lab/cluster");
    assertThat(Cluster.recorded(home).stream().flatMap(cluster -> cluster.nodes().stream()))
        .noneMatch(Node::isAlive);
    assertThat(Files.readString(log))
        .contains("kept")
        .contains(kept.toString())
        .as("no failure that follows from the end")
        .doesNotContain("counterpart: ");
    LabResult part = new ResultJson().read(kept.resolve("result.json"), LabResult.class);
    assertThat(part.brokenOff().orElseThrow())
        .startsWith("stopped from outside, after")
        .endsWith("of 106 blocks");
    assertThat(part.clean()).isFalse();
    assertThat(part.blocks()).hasSizeGreaterThanOrEqualTo(8);
    // a block that the machine held up is slower
    assertThat(
            part.blocks().stream()
                .filter(block -> block.phase().equals("read"))
                .mapToDouble(BlockResult::operationsPerSecond)
                .max())
        .as("--rate")
        .hasValueCloseTo(500.0, withinPercentage(50));
    assertThat(part.config()).containsEntry("valueBytes", 64);

    Path report = kept.resolve("again.html");
    launcher.run("lab", "report", kept.toString(), "--out", report.toString()).ok();
    assertThat(report).content().contains("stopped from outside");
  }
}
