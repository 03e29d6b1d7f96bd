package io.counterpart.lab.experiment;

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
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.workload.OperationMix;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Storage engines one by one, without replication: MyCassandra §3.1, Figures 4 to 6, and what a
 * read takes. Without replication there are no redundant copies, so there is no table by replica
 * rank: it would be the one on its engine.
 *
 * <p>All arms have the same bytes of page cache, a share of the first, stock table's: an engine
 * whose files are larger gets no more of it. Blocks that write end with a flush, so that each
 * begins with empty memtables.
 */
final class EngineExperiments {
  /** Name of the experiment on workloads. */
  static final String WORKLOADS = "mycassandra-fig4-6";

  /** Name of the experiment on reads. */
  static final String READS = "mycassandra-reads";

  /**
   * Memtables that hold a round of writes of all tables, so that a flush comes when it is asked.
   */
  static final Map<String, Object> READ_SETTINGS =
      Map.of(
          "memtable_offheap_space", "256MiB",
          "memtable_heap_space", "192MiB",
          "memtable_cleanup_threshold", 0.8);

  private static final String WRITE_ONLY = "write_only";
  private static final String WRITE_ONLY_UNLIMITED = "write_only_unlimited";
  private static final String WRITE_ONLY_DIRECT = "write_only_direct";
  private static final String WRITE = "write";
  private static final String LOCAL = "read_local";
  private static final String COLD = "read_cold";
  private static final String MERGED = "_merged";

  // a third of the table is then more than the least page cache of a node
  private static final int NODES = 2;
  private static final int UNREPLICATED = 1;
  private static final int READ_ROWS = 100_000;
  private static final int FLUSHES = 4;
  // inner pages of a tree, which are one in forty, are then read once and found by most reads
  private static final int COLD_READ_DIVISOR = 50;
  private static final int LEAST_COLD_READS = 40;
  // a fifth of what two cores can do: a local read shall not wait for a core
  private static final int LOCAL_READS_PER_SECOND = 2000;
  // until both compilers of the nodes have little left to do
  private static final int LOCAL_WARM_UPS = 4;
  // a node's share is several times its memtables' pool, so that flushes are waited for
  private static final int WRITES_PER_OPERATION = 6;
  private static final int SMALL_REPEATS = 3;
  // a miss of a B+tree caches a page of 4 KiB, one of a stock table a chunk of 16 KiB
  private static final int FILLS = 4;
  private static final Regime SAME_CACHE = Regime.HEADLINE.withSameCache();
  private static final List<String> FLUSHED =
      names(Stream.concat(Stream.of(Arm.UCS_T4, Arm.STCS), Arm.ENGINES.stream()));
  private static final List<String> DIRECT = names(Arm.DIRECT_ENGINES.stream());

  private EngineExperiments() {}

  static Experiment workloads(LabScale scale) {
    List<ExperimentArm> arms =
        Stream.of(
                Stream.of(Arm.UCS_T4, Arm.STCS), Arm.ENGINES.stream(), Arm.DIRECT_ENGINES.stream())
            .flatMap(tables -> tables)
            .map(EngineExperiments::arm)
            .toList();
    List<Step> steps = new ArrayList<>();
    steps.add(new Step.Load("load", scale.rows(), scale.slices()));
    steps.add(new Step.Drain("drain"));
    steps.add(new Step.FlushWrites());
    steps.add(blocks(scale, WRITE_ONLY, OperationMix.UPDATES).on(FLUSHED));
    steps.add(blocks(WRITE_ONLY_DIRECT, OperationMix.UPDATES, directWrites(scale)).on(DIRECT));
    steps.add(blocks(scale, "write_heavy", OperationMix.named("ycsb_a")));
    steps.add(blocks(scale, "read_heavy", OperationMix.named("ycsb_b")));
    steps.add(blocks(scale, "read_only", OperationMix.READS));
    steps.add(
        new Step.Blocks(
                WRITE_ONLY_UNLIMITED,
                OperationMix.UPDATES,
                Plans.ONE_ONE,
                new Repetition(writes(scale), 0, scale == LabScale.SMOKE ? 0 : 1, scale.repeats()),
                Regime.UNLIMITED)
            .on(names(Stream.concat(Stream.of(Arm.UCS_T4), Arm.ENGINES.stream()))));
    return new Experiment(
        WORKLOADS,
        "MyCassandra §3.1, Figures 4-6",
        "Latency and throughput of single storage engines, without replication",
        List.of(new Stage(NODES, scale.rows(), arms, steps)),
        List.of(
            new Aim.Throughput(
                "eng.lmdb_updates",
                WRITE_ONLY_UNLIMITED,
                name(Arm.LMDB),
                name(Arm.UCS_T4),
                0.95,
                "0.08 (MySQL)")));
  }

  /**
   * Of tables with direct writes, which have no flush that a block must be long for, and take up to
   * seventy times as long for a write.
   */
  private static Repetition directWrites(LabScale scale) {
    return new Repetition(scale.operations(), 0, 0, repeats(scale));
  }

  private static Step.Blocks blocks(LabScale scale, String phase, OperationMix mix) {
    boolean writes = mix.withoutWrites().isEmpty();
    int operations = writes ? writes(scale) : scale.operations() / 2;
    int fill = writes ? 0 : FILLS * scale.operations();
    return blocks(phase, mix, new Repetition(operations, fill, 0, repeats(scale)));
  }

  private static Step.Blocks blocks(String phase, OperationMix mix, Repetition repetition) {
    return new Step.Blocks(phase, mix, Plans.ONE_ONE, repetition, SAME_CACHE);
  }

  private static int repeats(LabScale scale) {
    return scale == LabScale.SMOKE ? 1 : SMALL_REPEATS;
  }

  private static List<String> names(Stream<String> tables) {
    return tables.map(EngineExperiments::name).toList();
  }

  private static int writes(LabScale scale) {
    return WRITES_PER_OPERATION * scale.operations();
  }

  /**
   * Rows written by INSERT: a read ends at the newest sstable that has its key. Then rows written
   * by UPDATE: it merges all that have it. The first is the harder comparison for an engine.
   */
  static Experiment reads(LabScale scale) {
    int rows = scale == LabScale.SMALL ? READ_ROWS : scale.rows();
    List<ExperimentArm> arms =
        Stream.of(Arm.UNCOMPACTED, Arm.UCS_T4, Arm.LMDB).map(EngineExperiments::arm).toList();
    List<String> names = arms.stream().map(ExperimentArm::name).toList();
    List<Step> inserted = reads(scale, rows, names, "");
    List<Step> updated = new ArrayList<>(List.of(new Step.UpdateStatements()));
    updated.addAll(reads(scale, rows, names, MERGED));
    return new Experiment(
        READS,
        "beyond MyCassandra",
        "A read of a B+tree on its node, beside a read of four sstables",
        List.of(new Stage(NODES, rows, arms, inserted), new Stage(NODES, rows, arms, updated)),
        List.of(
            ratio("eng.lmdb_read_time", LOCAL + MERGED, BlockMeasure.LOCAL_READ_MICROS, 0.35),
            ratio("eng.lmdb_read_bytes", COLD + MERGED, BlockMeasure.DISK_READ_BYTES, 0.2),
            ratio("eng.lmdb_read_time_newest", LOCAL, BlockMeasure.LOCAL_READ_MICROS, 0.35),
            ratio("eng.lmdb_read_bytes_newest", COLD, BlockMeasure.DISK_READ_BYTES, 0.2)));
  }

  private static List<Step> reads(LabScale scale, int rows, List<String> arms, String suffix) {
    Step local =
        new Step.Blocks(
                LOCAL + suffix,
                OperationMix.READS,
                Plans.ONE_ONE,
                new Repetition(
                    scale.operations(),
                    0,
                    scale == LabScale.SMOKE ? 0 : LOCAL_WARM_UPS,
                    scale.repeats()),
                Regime.UNLIMITED)
            .at(LOCAL_READS_PER_SECOND);
    Step cold =
        new Step.ColdReads(
            COLD + suffix,
            arms,
            Math.max(LEAST_COLD_READS, rows / COLD_READ_DIVISOR),
            scale.repeats());
    return List.of(new Step.Rounds(WRITE + suffix, rows, rows, FLUSHES), local, cold);
  }

  private static Aim ratio(String id, String phase, BlockMeasure measure, double atMost) {
    return new Aim.Ratio(
        id,
        List.of(phase),
        measure,
        name(Arm.LMDB),
        name(Arm.UNCOMPACTED),
        Bound.atMost(atMost),
        "");
  }

  private static String name(String table) {
    return arm(table).name();
  }

  private static ExperimentArm arm(String table) {
    return new ExperimentArm(new LabTable(Arm.known(table), UNREPLICATED), Routing.STOCK);
  }
}
