package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.lab.bundle.StoredRun;
import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.BlockMeasure;
import io.counterpart.lab.report.html.HtmlReport;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.ResultJson;
import io.counterpart.lab.result.Sample;
import io.counterpart.lab.result.SampledMeasure;
import io.counterpart.lab.run.ArmServers;
import io.counterpart.lab.run.RunListener;
import io.counterpart.lab.run.RunOutline;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.tier.FillStage;
import io.counterpart.lab.tier.MetadataStage;
import io.counterpart.lab.tier.MixPhase;
import io.counterpart.lab.tier.RepairStage;
import io.counterpart.lab.tier.Repeats;
import io.counterpart.lab.tier.RequestStage;
import io.counterpart.lab.tier.RestartStage;
import io.counterpart.lab.tier.ScalingStage;
import io.counterpart.lab.tier.ShardsStage;
import io.counterpart.lab.tier.TierExperiment;
import io.counterpart.lab.tier.TierLab;
import io.counterpart.lab.tier.TierPlan;
import io.counterpart.lab.tier.TierStage;
import io.counterpart.lab.tier.arm.TierArm;
import io.counterpart.lab.tier.client.TierShape;
import io.counterpart.lab.tier.coding.CodingStage;
import io.counterpart.lab.tier.network.TierNetwork;
import io.counterpart.memcached.MemcachedProgram;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
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

  private final Heard heard = new Heard();
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
    assertThat(HtmlReport.render(result))
        .contains("trafficBytes", "\"title\" : \"Latency\"", "\"title\" : \"Memory of servers\"")
        .doesNotContain("\"title\" : \"Memtables\"");
    for (String arm : List.of("vanilla", "ccmemcached", "echash")) {
      // a block that is longer than a second has several samples, which pauses may leave empty
      assertThat(result.samples())
          .filteredOn(sample -> sample.arm().equals(arm) && sample.phase().equals("read"))
          .allSatisfy(
              sample ->
                  assertThat(sample.measures().get(SampledMeasure.SERVER_BYTES))
                      .isBetween(7.0 * (1 << 20), 7.0 * (256 << 20)))
          .anySatisfy(
              sample -> {
                assertThat(sample.operationsPerSecond()).isPositive();
                assertThat(sample.measures()).containsEntry(SampledMeasure.HIT_RATIO, 1.0);
                assertThat(sample.measures().get(SampledMeasure.P99_MICROS)).isPositive();
              });
      assertThat(heard.servers)
          .filteredOn(servers -> servers.arm().equals(arm))
          .allSatisfy(
              servers ->
                  assertThat(servers.servers())
                      .hasSize(7)
                      .allMatch(server -> server.state().equals(ArmServers.UP)));
    }
    assertThat(result.samples())
        .allSatisfy(
            sample ->
                assertThat(sample.measures().containsKey(SampledMeasure.JOURNAL_BYTES))
                    .as("journals of %s", sample.arm())
                    .isEqualTo(!sample.arm().equals("vanilla")));

    Path file = directory.resolve("result.json");
    new ResultJson().write(file, result);
    assertThat(new ResultJson().read(file, LabResult.class).blocks()).isEqualTo(result.blocks());
  }

  @Test
  void scaling_moves_objects_out_and_in_while_they_are_read() throws Exception {
    TierArm paper = TierArm.ECHASH_PAPER;
    ScalingStage stage =
        new ScalingStage(
            "5_3_2",
            shape(256, SLOW),
            List.of(TierArm.CCMEMCACHED, paper, TierArm.ECHASH, TierArm.CCMEMCACHED_DATABASE),
            2,
            true,
            TWICE);

    LabResult result = run(List.of(stage), List.of());

    assertIntact(result, 4 * OBJECTS);
    assertThat(result.blocks()).hasSize(4 * (1 + 2 * 2));
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
    String database = TierArm.CCMEMCACHED_DATABASE.name();
    assertThat(sum(result, database, Counters.DEGRADED_READS)).isZero();
    assertThat(sum(result, database, "undecodedReads")).as("reads of Cassandra").isPositive();
    assertThat(result.blocks())
        .anyMatch(block -> block.latencies().containsKey(BlockMeasure.DEGRADED_READ));
    assertThat(result.config().get("stages").toString()).contains("roundTripMicrosMeasured=");
    assertThat(most(result, "scale", SampledMeasure.MOVED_BYTES)).isPositive();
    assertThat(most(result, "scale", SampledMeasure.P99_MICROS)).as("of the readers").isPositive();
    assertThat(heard.servers.get(0).servers())
        .as("servers to be added")
        .anyMatch(server -> server.state().equals(ArmServers.SPARE));
  }

  @Test
  void repair_restores_all_that_a_server_held() throws Exception {
    RepairStage stage =
        new RepairStage(
            "5_3",
            shape(1024, TierNetwork.DIRECT),
            List.of(TierArm.CCMEMCACHED, TierArm.ECHASH_CHUNK, TierArm.ECHASH),
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
    assertThat(most(result, "repair", SampledMeasure.RESTORED_BYTES)).isPositive();
    assertThat(heard.servers.get(0).servers()).extracting(ArmServers.Server::ring).contains(0, 4);
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
    assertThat(result.clean()).isTrue();
    assertThat(result.checked())
        .as("what was taken, and not what was refused")
        .isGreaterThanOrEqualTo(full.operations())
        .isLessThan(memory / 1024);
  }

  @Test
  void one_shard_or_two_lose_nothing() throws Exception {
    ShardsStage shards =
        new ShardsStage(
            new TierShape(new CodeShape(3, 2), 6, OBJECTS, 64, TierNetwork.DIRECT),
            List.of(1, 2),
            List.of(new MixPhase("read", 0, 2_000), new MixPhase("update", 1, 2_000)),
            320,
            new Repeats(1, 2),
            Duration.ZERO);

    LabResult result = run(List.of(shards), List.of());

    assertIntact(result, 2 * OBJECTS);
    assertThat(result.blocks()).hasSize(2 * (1 + 2 * 2));
    assertThat(result.blocks())
        .allSatisfy(
            block -> {
              assertThat(block.failed()).as(block.phase()).isZero();
              assertThat(block.counters()).containsKey("proxyCpuMicros");
            });
    for (int number : List.of(1, 2)) {
      // a tick of 10 ms may be more than one block takes
      assertThat(sum(result, ShardsStage.arm(number), "proxyCpuMicros")).isPositive();
    }
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
    assertThat(most(result, RestartStage.PHASE, SampledMeasure.PROXY_BYTES)).isPositive();
  }

  @Test
  @Timeout(600)
  void a_run_shows_itself_and_is_replayed_from_its_bundle() throws Exception {
    Launcher launcher = new Launcher(directory);
    Path log = directory.resolve("live.txt");
    Path kept = directory.resolve("kept");
    Path bundle = directory.resolve("run.zip");
    Process run =
        launcher.startInto(
            log,
            "lab",
            "run",
            "echash-restart",
            "--scale=smoke",
            "--out=" + kept,
            "--bundle=" + bundle);
    await()
        .atMost(Duration.ofSeconds(180))
        .failFast("the run ended: " + log, () -> !run.isAlive())
        .until(() -> Files.exists(log) && Files.readString(log).contains("live page: http"));
    String page = Files.readString(log).replaceAll("(?s).*live page: (http://\\S+/).*", "$1");

    String events = get(page + "events");

    assertThat(run.waitFor()).as(Files.readString(log)).isZero();
    assertThat(events)
        .contains("event: started", "\"name\":\"echash-restart\"", "\"ring\":null")
        .contains("event: servers", "\"state\":\"up\"")
        .contains("\"phase\":\"load_restart\"", "\"phase\":\"restart\"", "\"proxyBytes\":")
        .contains("event: block", "event: finished", "\"checked\":20000,\"lost\":0")
        .endsWith("\n\n")
        .contains("event: end");
    LabResult result = StoredRun.read(bundle);
    assertThat(result.blocks()).hasSize(2);
    assertThat(result.samples()).isNotEmpty();
    assertThat(kept.resolve("report.html")).content().contains("Memory of the proxy");

    Launcher.Outcome replayed =
        launcher.run("lab", "replay", bundle, "--no-live", "--out=" + directory.resolve("b")).ok();

    assertThat(replayed.err()).contains("replaying " + bundle + ": echash-restart, scale smoke");
    assertThat(replayed.out())
        .contains("A = " + bundle, "Configuration: no differences", "restart echash")
        .contains("20000 values checked: 0 lost, 0 wrong, 0 unread");
  }

  private static String get(String address) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
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
    List<ProcessHandle> servers =
        await()
            .pollDelay(Duration.ZERO)
            .until(() -> run.descendants().toList(), found -> found.size() > 5);

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
        new TierLab(new TierPlan(experiment, "it", 1), home, Progress.silent(), heard).run();
    assertThat(home).isEmptyDirectory();
    assertThat(heard.blocks).isEqualTo(result.blocks());
    assertThat(heard.samples).isEqualTo(result.samples());
    assertThat(heard.outlines).extracting(RunOutline::blocks).containsExactly(experiment.blocks());
    assertThat(heard.finished).isTrue();
    assertSampled(result);
    return result;
  }

  /** Every block has samples, by the names that charts have. */
  private static void assertSampled(LabResult result) {
    Set<String> names =
        SampledMeasure.OF_TIERS.stream().map(SampledMeasure::name).collect(Collectors.toSet());
    for (BlockResult block : result.blocks()) {
      assertThat(result.samples())
          .as("%s %s", block.arm(), block.phase())
          .anyMatch(
              sample -> sample.arm().equals(block.arm()) && sample.phase().equals(block.phase()));
    }
    assertThat(result.samples())
        .isSortedAccordingTo(Comparator.comparingDouble(Sample::second))
        .allSatisfy(sample -> assertThat(names).containsAll(sample.measures().keySet()));
  }

  private static double most(LabResult result, String phase, String measure) {
    return result.samples().stream()
        .filter(sample -> sample.phase().startsWith(phase))
        .mapToDouble(sample -> sample.measures().getOrDefault(measure, 0.0))
        .max()
        .orElse(0);
  }

  /** Hears a run as its live page does. */
  private static final class Heard implements RunListener {
    private final List<RunOutline> outlines = new CopyOnWriteArrayList<>();
    private final List<ArmServers> servers = new CopyOnWriteArrayList<>();
    private final List<Sample> samples = new CopyOnWriteArrayList<>();
    private final List<BlockResult> blocks = new CopyOnWriteArrayList<>();
    private volatile boolean finished;

    @Override
    public void started(RunOutline outline) {
      outlines.add(outline);
    }

    @Override
    public void served(ArmServers now) {
      servers.add(now);
    }

    @Override
    public void sampled(Sample sample) {
      samples.add(sample);
    }

    @Override
    public void measured(BlockResult block) {
      blocks.add(block);
    }

    @Override
    public void finished(LabResult result) {
      finished = true;
    }
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
