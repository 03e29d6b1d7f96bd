package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.settings.MigrationMode;
import io.counterpart.cache.coded.settings.RepairMode;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.BlockMeasure;
import io.counterpart.lab.report.html.HtmlReport;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.ResultJson;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.tier.FillStage;
import io.counterpart.lab.tier.MetadataStage;
import io.counterpart.lab.tier.MixPhase;
import io.counterpart.lab.tier.RepairStage;
import io.counterpart.lab.tier.Repeats;
import io.counterpart.lab.tier.RequestStage;
import io.counterpart.lab.tier.RestartStage;
import io.counterpart.lab.tier.ScalingStage;
import io.counterpart.lab.tier.TierExperiment;
import io.counterpart.lab.tier.TierLab;
import io.counterpart.lab.tier.TierPlan;
import io.counterpart.lab.tier.TierStage;
import io.counterpart.lab.tier.arm.TierArm;
import io.counterpart.lab.tier.client.TierShape;
import io.counterpart.lab.tier.coding.CodingStage;
import io.counterpart.lab.tier.network.TierNetwork;
import io.counterpart.memcached.MemcachedProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each kind of experiment of the memory tier, tiny, on real servers. */
@Timeout(300)
@OnUsualPorts
class EchashLabIT {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final int OBJECTS = 400;
  private static final Repeats TWICE = new Repeats(0, 2);
  private static final TierNetwork SLOW = new TierNetwork(Duration.ofMillis(1), 50_000_000);

  @TempDir private Path directory;

  @BeforeEach
  void needs_memcached() {
    assumeThat(MemcachedProgram.find("memcached")).as(MemcachedProgram.ADVICE).isPresent();
  }

  @Test
  void requests_to_all_schemes_lose_nothing() throws Exception {
    List<TierArm> arms = List.of(TierArm.VANILLA, TierArm.CCMEMCACHED, TierArm.ECHASH);
    RequestStage stage =
        new RequestStage(
            "64",
            shape(64, TierNetwork.DIRECT),
            arms,
            List.of(new MixPhase("read", 0, 2_000), new MixPhase("half", 0.5, 2_000)),
            4,
            8,
            new Repeats(1, 2),
            Duration.ZERO);

    LabResult result =
        run(
            List.of(stage),
            List.of(new Aim.Throughput("it.reads", "read", "echash", "vanilla", 0.1, "")));

    assertIntact(result, 3 * OBJECTS);
    assertThat(result.blocks()).hasSize(3 * (1 + 2 * 2));
    assertThat(result.figures()).hasSize(1);
    for (BlockResult block : result.blocks()) {
      assertThat(block.failed()).as(block.phase()).isZero();
      assertThat(block.operations()).isEqualTo(block.phase().startsWith("load") ? OBJECTS : 2_000);
      assertThat(block.latencies()).isNotEmpty();
      assertThat(block.counter(Counters.TRAFFIC_BYTES)).isGreaterThan(OBJECTS * 64L);
    }
    assertThat(result.config().get("stages").toString()).contains("objects=" + OBJECTS);
    assertThat(HtmlReport.render(result)).contains("trafficBytes");

    Path file = directory.resolve("result.json");
    new ResultJson().write(file, result);
    assertThat(new ResultJson().read(file, LabResult.class).blocks()).isEqualTo(result.blocks());
  }

  @Test
  void scaling_moves_objects_out_and_in_while_they_are_read() throws Exception {
    TierArm paper = TierArm.ECHASH.with(MigrationMode.PAPER);
    ScalingStage stage =
        new ScalingStage(
            "5_3_2",
            shape(256, SLOW),
            List.of(TierArm.CCMEMCACHED, paper, TierArm.ECHASH),
            2,
            true,
            TWICE);

    LabResult result = run(List.of(stage), List.of());

    assertIntact(result, 3 * OBJECTS);
    assertThat(result.blocks()).hasSize(3 * (1 + 2 * 2));
    for (BlockResult block : result.blocks()) {
      if (block.phase().startsWith("scale")) {
        assertThat(block.operations()).as("objects moved").isBetween(1L, (long) OBJECTS);
        assertThat(block.bytesPerSecond())
            .isGreaterThan(block.operations() * 256 / block.seconds());
        assertThat(block.counter(Counters.BYTES)).isEqualTo(block.counter("movedBytes"));
        assertThat(block.latencies()).containsKey("read");
      }
    }
    assertThat(sum(result, "echash", Counters.DEGRADED_READS)).isZero();
    assertThat(sum(result, paper.name(), Counters.DEGRADED_READS)).isPositive();
    assertThat(result.blocks())
        .anyMatch(block -> block.latencies().containsKey(BlockMeasure.DEGRADED_READ));
    assertThat(result.config().get("stages").toString()).contains("roundTripMicrosMeasured=");
  }

  @Test
  void repair_restores_all_that_a_server_held() throws Exception {
    RepairStage stage =
        new RepairStage(
            "5_3",
            shape(1024, TierNetwork.DIRECT),
            List.of(TierArm.CCMEMCACHED, TierArm.ECHASH.with(RepairMode.CHUNK), TierArm.ECHASH),
            TWICE);

    LabResult result = run(List.of(stage), List.of());

    assertIntact(result, 3 * OBJECTS);
    assertThat(result.blocks()).hasSize(3 * (1 + 2));
    for (BlockResult block : result.blocks()) {
      if (block.phase().equals("repair_5_3")) {
        assertThat(block.seconds()).isPositive();
        assertThat(block.counter("restoredObjects")).isPositive();
        // memcached counts its own headers too
        assertThat(block.counter(Counters.BYTES))
            .isGreaterThan(block.counter("restoredBytes") + block.counter("restoredParityBytes"));
      }
    }
  }

  @Test
  void metadata_and_coding_are_measured() throws Exception {
    CodingStage coding =
        new CodingStage(
            "coding",
            List.of(CODE),
            Duration.ofMillis(5),
            List.of(CodingStage.OURS, CodingStage.IN_C),
            TWICE);
    MetadataStage metadata =
        new MetadataStage("64", shape(64, TierNetwork.DIRECT), List.of(TierArm.ECHASH));

    LabResult result = run(List.of(metadata, coding), List.of());

    assertIntact(result, OBJECTS);
    BlockResult memory = result.blocks().get(0);
    assertThat(memory.counter(Counters.OBJECT_BYTES)).isEqualTo(OBJECTS * 64L);
    assertThat(memory.counter(Counters.INDEX_BYTES)).isPositive();
    assertThat(memory.counter(Counters.MAPPED_BYTES)).isGreaterThanOrEqualTo(OBJECTS * 8L);
    List<BlockResult> encoded =
        result.blocks().stream().filter(block -> block.phase().equals("encode_5_3")).toList();
    // the few milliseconds of a block may fall into a pause of this JVM
    assertThat(encoded)
        .allMatch(block -> block.bytesPerSecond() > 0)
        .anyMatch(block -> block.bytesPerSecond() > 1e6);
    boolean compiled = result.config().get("codingInC").toString().startsWith("compiled");
    assertThat(encoded).hasSize(compiled ? 4 : 2);
  }

  @Test
  void servers_are_filled_until_a_write_is_refused() throws Exception {
    FillStage fill = new FillStage(CODE, 16, 1024, List.of(TierArm.ECHASH));

    LabResult result = run(List.of(fill), List.of());

    BlockResult full = result.blocks().get(0);
    long memory = CODE.n() * (16L << 20);
    assertThat(full.counter(Counters.MEMORY_BYTES)).isEqualTo(memory);
    assertThat(full.counter(Counters.OBJECT_BYTES))
        .isEqualTo(full.operations() * 1024)
        .isBetween(memory / 4, memory * CODE.k() / CODE.n());
    assertIntact(result, memory / 1024);
  }

  @Test
  void a_killed_proxy_is_followed_by_one_that_has_every_object() throws Exception {
    RestartStage restart = new RestartStage(CODE, 7, OBJECTS, 64, 64, 2);

    LabResult result = run(List.of(restart), List.of());

    assertIntact(result, OBJECTS);
    assertThat(result.blocks())
        .extracting(BlockResult::phase)
        .containsExactly(RestartStage.LOAD, RestartStage.PHASE, RestartStage.PHASE);
    assertThat(result.blocks())
        .allSatisfy(
            block -> {
              assertThat(block.seconds()).isPositive();
              assertThat(block.counter("proxyBytes")).isBetween(1L << 20, 512L << 20);
              assertThat(block.counter("logBytes")).isGreaterThan(OBJECTS * 20L);
            });
  }

  @Test
  void ctrl_c_keeps_what_was_measured_and_leaves_no_process() throws Exception {
    Launcher launcher = new Launcher(directory);
    Path log = directory.resolve("log.txt");
    Path kept = directory.resolve("kept");
    Process run =
        launcher.startInto(
            log, "lab", "run", "echash-exp4", "--scale=smoke", "--arms=echash", "--out=" + kept);
    await()
        .atMost(Duration.ofSeconds(180))
        .failFast("the run ended: " + log, () -> !run.isAlive())
        .until(() -> Files.exists(log) && Files.readString(log).contains("(1 of "));
    List<ProcessHandle> servers = run.descendants().toList();
    assertThat(servers).hasSizeGreaterThan(5);

    Launcher.interrupt(run);

    assertThat(run.waitFor()).isEqualTo(130);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> servers.stream().noneMatch(ProcessHandle::isAlive));
    assertThat(log).content().doesNotContain("counterpart: ");
    LabResult part = new ResultJson().read(kept.resolve("result.json"), LabResult.class);
    assertThat(part.brokenOff().orElseThrow()).startsWith("stopped from outside, after");
    assertThat(part.blocks()).isNotEmpty();
    assertThat(launcher.run("lab", "figures", kept, "--markdown").ok().out()).contains("load_5_3");
  }

  private LabResult run(List<? extends TierStage> stages, List<Aim> aims) throws Exception {
    TierExperiment experiment = new TierExperiment("it", "none", "tiny", List.copyOf(stages), aims);
    Path home = directory.resolve("home");
    LabResult result =
        new TierLab(new TierPlan(experiment, "it", 1), home, Progress.silent()).run();
    assertThat(home).isEmptyDirectory();
    return result;
  }

  private static void assertIntact(LabResult result, long objects) {
    assertThat(result.clean()).as(result.config().toString()).isTrue();
    assertThat(result.checked()).isEqualTo(objects);
    assertThat(result.config()).containsKeys("memcached", "coding", "cores");
  }

  private static long sum(LabResult result, String arm, String counter) {
    return result.blocks().stream()
        .filter(block -> block.arm().equals(arm))
        .mapToLong(block -> block.counter(counter))
        .sum();
  }

  private static TierShape shape(int valueBytes, TierNetwork network) {
    return new TierShape(CODE, 7, OBJECTS, valueBytes, network);
  }
}
