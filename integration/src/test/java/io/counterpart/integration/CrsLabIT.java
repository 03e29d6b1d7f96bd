package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cluster.Installation;
import io.counterpart.cluster.cgroup.ControlGroups;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.cluster.layout.Ports;
import io.counterpart.lab.experiment.Experiments;
import io.counterpart.lab.experiment.LabScale;
import io.counterpart.lab.plan.LabPlan;
import io.counterpart.lab.report.html.HtmlReport;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.RingSummary;
import io.counterpart.lab.run.Lab;
import io.counterpart.lab.run.RunListener;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.workload.ClientShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The experiments on placement and selection at smoke scale, on one cluster each: the other half of
 * their arms would need a second one, and differs in tokens and thresholds alone.
 */
@OnUsualPorts
class CrsLabIT {
  private static final String ORDERED_DYNAMIC = "ucs_t4+por+ds01";
  private static final String ORDERED_NEAREST = "ucs_t4+por+pf";
  private static final String ORDERED_CONSISTENT = "ucs_t4+por+pf+cr";
  private static final String RANDOM_DYNAMIC = "ucs_t4+random+ds10";
  private static final int LATENCY_PHASES = 4;

  private final Map<String, Double> thresholds = new TreeMap<>();
  private final Map<String, Boolean> deciding = new TreeMap<>();

  @Test
  void latency_is_measured_beside_a_slow_node_and_pauses() throws Exception {
    List<String> arms = List.of(ORDERED_DYNAMIC, ORDERED_NEAREST, ORDERED_CONSISTENT);
    LabResult result = run("crs-fig3", arms);

    List<BlockResult> atRate =
        result.blocks().stream()
            .filter(block -> block.counter(Counters.OFFERED_PER_SECOND) > 0)
            .toList();
    assertThat(atRate).hasSize(arms.size() * LATENCY_PHASES);
    assertThat(atRate)
        .allSatisfy(
            block -> {
              assertThat(block.failed()).as(block.phase()).isZero();
              assertThat(block.readP99Micros()).as(block.phase()).isPositive();
              assertThat(Double.isFinite(block.switchesPerMinute()))
                  .as("watched on coordinators that choose: " + block.arm())
                  .isEqualTo(!block.arm().equals(ORDERED_DYNAMIC));
              assertThat(decided(block))
                  .as("levels are decided in one arm alone: %s %s", block.arm(), block.counters())
                  .isEqualTo(block.arm().equals(ORDERED_CONSISTENT) ? reads(block) : 0);
              // policies are known: without a table of them all reads have the default one
              assertThat(block.counters()).doesNotContainKey("reads.mode_off");
            });
    assertThat(result.figures())
        .as("those whose peer is on the other cluster are left out")
        .extracting(LabFigure::id)
        .containsExactly("crs.switches_per_minute");
    String slow = ((Map<?, ?>) result.config().get("regimes")).get("slow_b").toString();
    assertThat(slow).contains("pauses of about 150 ms");
    assertThat(slow.contains("node 1: 20 disk reads/s"))
        .isEqualTo(ControlGroups.writable().isPresent());
    assertThat(thresholds).containsEntry(ORDERED_DYNAMIC, 0.1);
    assertThat(deciding)
        .isEqualTo(
            Map.of(ORDERED_DYNAMIC, false, ORDERED_NEAREST, false, ORDERED_CONSISTENT, true));
    assertThat(ring(result).replicaSets()).isEqualTo(LabCluster.NODES);
    assertThat(HtmlReport.render(result)).contains("slow_b", ORDERED_NEAREST, ORDERED_CONSISTENT);
  }

  @Test
  void throughput_of_shuffled_reads_is_measured_on_random_tokens() throws Exception {
    LabResult result = run("crs-fig4", List.of(RANDOM_DYNAMIC));

    assertThat(result.blocks())
        .extracting(BlockResult::phase)
        .contains("ycsb_a", "ycsb_b", "ycsb_c");
    assertThat(result.blocks()).allSatisfy(block -> assertThat(block.failed()).isZero());
    assertThat(thresholds).containsEntry(RANDOM_DYNAMIC, 1.0);
    assertThat(ring(result).replicaSets()).isGreaterThan(LabCluster.NODES);
  }

  private LabResult run(String name, List<String> arms) throws Exception {
    Installation installation = Installation.locate();
    LabPlan plan =
        new LabPlan(
            Experiments.named(name, LabScale.SMOKE).withArms(arms),
            LabScale.SMOKE.label(),
            1,
            ClientShape.PAPER,
            Experiments.settingsOf(name),
            Map.of());
    LabCluster cluster =
        new LabCluster(
                Path.of("target/crs-lab-it").toAbsolutePath(),
                installation.serverLib(),
                installation.pluginJar())
            .forDemonstration(LabCluster.NODES);
    LabResult result = new Lab(plan, cluster, Progress.silent(), watchNodes()).run();

    assertThat(result.clean()).isTrue();
    assertThat(result.checked()).isPositive();
    return result;
  }

  /** Reads of which a coordinator decided about the level; a failed raise counts once more. */
  private static long decided(BlockResult block) {
    return block.counters().entrySet().stream()
        .filter(counter -> counter.getKey().startsWith(Counters.READS_BY_REASON))
        .filter(counter -> !counter.getKey().endsWith("raise_failed"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private static long reads(BlockResult block) {
    return Objects.requireNonNull(block.latencies().get("read")).count();
  }

  private static RingSummary ring(LabResult result) {
    return (RingSummary) result.config().get(RingSummary.KEY);
  }

  /**
   * The threshold that the first node is at after each block with a dynamic snitch, and whether its
   * handler is on after each block at a steady rate.
   */
  private RunListener watchNodes() {
    return new RunListener() {
      @Override
      public void measured(BlockResult block) {
        if (block.arm().contains("+ds")) {
          thresholds.put(
              block.arm(),
              (Double)
                  ask("org.apache.cassandra.db:type=DynamicEndpointSnitch", "BadnessThreshold"));
        }
        if (block.counter(Counters.OFFERED_PER_SECOND) > 0) {
          deciding.put(
              block.arm(), (Boolean) ask("io.counterpart.cassandra:type=Faults", "ConsistencyOn"));
        }
      }
    };
  }

  private static Object ask(String bean, String attribute) {
    try (NodeJmx jmx = NodeJmx.connect(Ports.DEFAULT.jmxBase() + 1)) {
      return jmx.attribute(bean, attribute);
    } catch (IOException e) {
      throw new IllegalStateException("no JMX connection to the first node", e);
    }
  }
}
