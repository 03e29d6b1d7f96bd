package io.counterpart.lab.experiment;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.layout.EngineLayout;
import io.counterpart.core.placement.engine.EngineClass;
import io.counterpart.core.placement.engine.EngineQuotas;
import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.BlockMeasure;
import io.counterpart.lab.plan.Bound;
import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.ExperimentArm;
import io.counterpart.lab.plan.Regime;
import io.counterpart.lab.plan.Repetition;
import io.counterpart.lab.plan.Routing;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.setup.ServerShape;
import io.counterpart.lab.workload.ConsistencyLevels;
import io.counterpart.lab.workload.OperationMix;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The heterogeneous cluster beside clusters of one engine, on as many servers with as much memory
 * each, (N, W, R) = (3, 2, 2): MyCassandra §5, Figures 11 to 16.
 *
 * <p>Each kind of server has nodes of its own, all at the same time; blocks take turns. All servers
 * have the same memory for data, in the paper's proportion: 5.5 of 8.8, where 8.8 is what a stock
 * node keeps of the load. They divide it as follows; {@link ServerMemory} has the numbers.
 *
 * <ul>
 *   <li>heterogeneous: entries in the heap of the memory node, and page cache, which is what the
 *       B+tree of the read node has for a buffer pool
 *   <li>a class per server: the same, each on the server of its class. Where processes share few
 *       cores, three of them cost less than nine
 *   <li>stock: page cache, and heap, which is where the paper's Cassandra has it too; or rows in a
 *       row cache; or page cache alone, in a phase of its own
 *   <li>B+tree on every node: page cache
 * </ul>
 *
 * <p>What a JVM needs beside is not memory for data. It would be most of a server's memory at this
 * scale; heaps are chosen so that processes of each kind of server hold the same in all.
 */
final class HeterogeneousExperiment {
  /** Its name. */
  static final String NAME = "mycassandra-fig11-16";

  /** The paper's client. */
  static final int THREADS = 40;

  private static final int SERVERS = 3;
  private static final int SMALL_ROWS = 200_000;
  private static final String PAGE_CACHE = "read_only_page_cache";
  private static final String AT_RATE = "_rate";
  // about a third of what the disks of stock LCS can do
  private static final int OPERATIONS_PER_SECOND = 100;
  private static final ConsistencyLevels QUORUM =
      new ConsistencyLevels(DefaultConsistencyLevel.QUORUM, DefaultConsistencyLevel.QUORUM);
  private static final ExperimentArm HETEROGENEOUS = arm(Arm.HETEROGENEOUS, Routing.ENGINE_CLASSES);
  private static final ExperimentArm CLASS_PER_SERVER =
      arm(Arm.CLASS_PER_SERVER, Routing.ENGINE_CLASSES);
  private static final EngineLayout LAYOUT =
      new EngineLayout(
          Map.of(
              EngineClass.WRITE, "lsm",
              EngineClass.READ, "lmdb",
              EngineClass.MEMORY, "memory"),
          EngineQuotas.of(3, 2, 2));

  private enum Mix {
    WRITE_ONLY(OperationMix.UPDATES),
    WRITE_HEAVY(OperationMix.named("ycsb_a")),
    READ_HEAVY(OperationMix.named("ycsb_b")),
    READ_ONLY(OperationMix.READS);

    private final OperationMix mix;

    Mix(OperationMix mix) {
      this.mix = mix;
    }

    String phase() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private HeterogeneousExperiment() {}

  static Experiment heterogeneous(LabScale scale) {
    ServerMemory memory = ServerMemory.of(rows(scale));
    ServerShape stock =
        ServerShape.ofOneNode("stock", 0, memory.stockHeap(), memory.stockSettings());
    ServerShape tree = ServerShape.ofOneNode("tree", 1, memory.treeHeap(), memory.nodeSettings(1));
    ServerShape classes =
        classes("classes", 2, LAYOUT.engines().size(), memory.classHeap(), memory);
    ServerShape spread = classes("spread", 3, 1, memory.spreadHeap(), memory);
    return new Experiment(
        NAME,
        "MyCassandra §5, Figures 11-16",
        "The heterogeneous cluster beside stock Cassandra, with the same memory per server",
        List.of(
            stage(scale, stock, onStock(scale), memory.stockCache()),
            stage(scale, tree, List.of(arm(Arm.LMDB, Routing.STOCK)), memory.dataMebibytes()),
            stage(scale, classes, List.of(HETEROGENEOUS), memory.dataMebibytes()),
            stage(scale, spread, List.of(CLASS_PER_SERVER), memory.dataMebibytes())),
        aims());
  }

  private static ServerShape classes(
      String name, int place, int nodes, int heap, ServerMemory memory) {
    List<String> options = new ArrayList<>(LAYOUT.optionsForReads(List.of()));
    // the paper's read never goes to a write node while the others are up, however busy
    options.add("-Dcounterpart.snitch.tie_ms=1000");
    return new ServerShape(name, place, nodes, heap, LAYOUT, memory.nodeSettings(nodes), options);
  }

  private static int rows(LabScale scale) {
    return scale == LabScale.SMALL ? SMALL_ROWS : scale.rows();
  }

  /**
   * Those that share the stock servers: layouts of sstables, and primary copies in a B+tree. At
   * smoke scale those of a figure alone.
   */
  private static List<ExperimentArm> onStock(LabScale scale) {
    List<ExperimentArm> arms =
        new ArrayList<>(List.of(arm(Arm.LCS, Routing.STOCK), arm(Arm.UCS_T4, Routing.STOCK)));
    if (scale != LabScale.SMOKE) {
      int rows = rows(scale);
      arms.add(arm(Arm.UCS_T4_ROWS, Routing.STOCK));
      arms.add(Plans.byRank(LabCluster.REPLICATION_FACTOR, rows));
      arms.add(
          new ExperimentArm(LabTable.of(Plans.arm(Arm.DECOUPLED_T4, rows)), Routing.PRIMARY_FIRST));
    }
    return List.copyOf(arms);
  }

  private static Stage stage(
      LabScale scale, ServerShape servers, List<ExperimentArm> arms, int cacheMebibytes) {
    boolean stock = !servers.isHeterogeneous() && arms.size() > 1;
    Regime regime = Regime.ofServer(cacheMebibytes, Plans.SLOW_DISK.readsPerSecond());
    List<Step> steps = new ArrayList<>();
    steps.add(new Step.Load("load", rows(scale), scale.slices()));
    steps.add(new Step.Drain("drain"));
    steps.add(new Step.FlushWrites());
    for (Mix mix : mixes(scale)) {
      steps.add(blocks(scale, mix.phase(), mix.mix, stock, regime));
      // no figure is of the latencies of writes alone
      if (mix != Mix.WRITE_ONLY || scale != LabScale.SMOKE) {
        steps.add(atRate(scale, mix, stock, regime));
      }
    }
    ServerMemory memory = ServerMemory.of(rows(scale));
    Regime pageCache =
        stock ? Regime.ofServer(memory.dataMebibytes(), regime.readsPerSecond()) : regime;
    steps.add(
        blocks(scale, PAGE_CACHE, OperationMix.READS, stock, pageCache)
            .on(
                arms.stream()
                    .map(ExperimentArm::name)
                    .filter(name -> !name.equals(Arm.UCS_T4_ROWS))
                    .toList()));
    return new Stage(SERVERS * servers.nodes(), rows(scale), arms, List.copyOf(steps), servers);
  }

  private static Step atRate(LabScale scale, Mix mix, boolean stock, Regime regime) {
    Step.Blocks like = blocks(scale, mix.phase() + AT_RATE, mix.mix, stock, regime);
    Repetition each = like.repetition();
    int fill = stock ? each.fill() : 0;
    return new Step.Blocks(
            like.phase(),
            mix.mix,
            QUORUM,
            new Repetition(ratedOperations(scale), fill, 0, each.repeats()),
            regime)
        .at(OPERATIONS_PER_SECOND);
  }

  /** No figure is taken from reads beside few writes, and smoke shall take minutes. */
  private static List<Mix> mixes(LabScale scale) {
    return scale == LabScale.SMOKE
        ? List.of(Mix.WRITE_ONLY, Mix.WRITE_HEAVY, Mix.READ_ONLY)
        : List.of(Mix.values());
  }

  /** A stock table on limited disks answers a tenth of what others do, in blocks as long. */
  private static Step.Blocks blocks(
      LabScale scale, String phase, OperationMix mix, boolean stock, Regime regime) {
    boolean reads = mix.withoutWrites().isPresent();
    int reading = stock ? scale.operations() / 5 : scale.operations();
    int operations = reads ? reading : 2 * scale.operations();
    // as many rows as a larger page cache holds
    int fill = reads ? scale.operations() / (phase.equals(PAGE_CACHE) ? 1 : 2) : 0;
    int repeats = scale == LabScale.SMOKE ? 1 : 3;
    return new Step.Blocks(
        phase, mix, QUORUM, new Repetition(operations, fill, 0, repeats), regime);
  }

  private static int ratedOperations(LabScale scale) {
    return scale == LabScale.SMOKE ? OPERATIONS_PER_SECOND : 5 * OPERATIONS_PER_SECOND;
  }

  private static List<Aim> aims() {
    List<Aim> aims = new ArrayList<>(aims("", HETEROGENEOUS.name()));
    aims.addAll(aims("_class_per_server", CLASS_PER_SERVER.name()));
    return aims;
  }

  private static List<Aim> aims(String suffix, String arm) {
    String writeHeavy = Mix.WRITE_HEAVY.phase() + AT_RATE;
    String readOnly = Mix.READ_ONLY.phase();
    BlockMeasure mean = BlockMeasure.READ_MEAN_MICROS;
    return List.of(
        new Aim.Throughput("het.readonly_vs_lcs" + suffix, readOnly, arm, Arm.LCS, 11, "11.0"),
        new Aim.Throughput("het.readonly_vs_ucs" + suffix, readOnly, arm, Arm.UCS_T4, 11, "11.0"),
        latency("het.readlat_writeheavy" + suffix, writeHeavy, mean, arm, 0.167),
        latency("het.readlat_readonly" + suffix, readOnly + AT_RATE, mean, arm, 0.096),
        latency(
            "het.p99_readonly" + suffix,
            readOnly + AT_RATE,
            BlockMeasure.READ_P99_MICROS,
            arm,
            0.214),
        new Aim.Throughput(
            "het.writeonly_vs_stock" + suffix, Mix.WRITE_ONLY.phase(), arm, Arm.LCS, 1.0, "0.87"),
        new Aim.Throughput(
            "het.readonly_vs_page_cache" + suffix, PAGE_CACHE, arm, Arm.LCS, 1.0, ""));
  }

  private static Aim latency(
      String id, String phase, BlockMeasure measure, String arm, double atMost) {
    return new Aim.Ratio(
        id, List.of(phase), measure, arm, Arm.LCS, Bound.atMost(atMost), String.valueOf(atMost));
  }

  private static ExperimentArm arm(String table, Routing routing) {
    return new ExperimentArm(LabTable.of(Arm.known(table)), routing);
  }
}
