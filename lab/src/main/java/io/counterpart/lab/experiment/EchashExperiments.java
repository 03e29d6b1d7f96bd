package io.counterpart.lab.experiment;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.BlockMeasure;
import io.counterpart.lab.plan.Bound;
import io.counterpart.lab.tier.FillStage;
import io.counterpart.lab.tier.MetadataStage;
import io.counterpart.lab.tier.MixPhase;
import io.counterpart.lab.tier.RequestStage;
import io.counterpart.lab.tier.RestartStage;
import io.counterpart.lab.tier.TierExperiment;
import io.counterpart.lab.tier.TierStage;
import io.counterpart.lab.tier.arm.TierArm;
import io.counterpart.lab.tier.client.TierShape;
import io.counterpart.lab.tier.coding.CodingStage;
import io.counterpart.lab.tier.network.TierNetwork;
import java.util.ArrayList;
import java.util.List;

/** The paper's experiments on requests and metadata, and the speed of coding. Paper: ECHash §5. */
final class EchashExperiments {
  static final CodeShape CODE_5_3 = new CodeShape(5, 3);
  static final CodeShape CODE_8_6 = new CodeShape(8, 6);
  static final int KIB = 1024;
  static final String VANILLA = TierArm.VANILLA.name();
  static final String CCMEMCACHED = TierArm.CCMEMCACHED.name();
  static final String ECHASH = TierArm.ECHASH.name();

  private static final int SMALLEST_VALUE = 64;
  private static final List<Integer> VALUES = List.of(SMALLEST_VALUE, 256, KIB);
  private static final List<Integer> FILLED = List.of(104, KIB, 10 * KIB);
  private static final List<Integer> TABLE_3 = List.of(64, 128, 256, 512, KIB);
  private static final int CONNECTIONS = 16;
  private static final int DEPTH = 32;

  /** A tier of one machine. */
  private static final int FEW_SERVERS = 10;

  private static final int FEW_OBJECTS = 20_000;
  private static final int MANY_OBJECTS = 10_000_000;
  private static final int RESTARTS = 3;
  private static final int PROXY_HEAP = 512;

  private static final String UPDATES = "update_";
  private static final String PROXY_GETS = "proxy_64";
  private static final String ONE_CONNECTION = "set_1conn_1024";

  private EchashExperiments() {}

  /** Throughput and latency of clients' requests. */
  static TierExperiment requests(LabScale scale) {
    EchashScale size = EchashScale.of(scale);
    List<TierStage> stages = new ArrayList<>();
    List<String> readOnly = new ArrayList<>();
    List<String> mostly = new ArrayList<>();
    List<String> half = new ArrayList<>();
    for (int bytes : VALUES) {
      stages.add(
          new RequestStage(
              String.valueOf(bytes),
              shape(size, CODE_5_3, bytes),
              List.of(TierArm.VANILLA, TierArm.CCMEMCACHED, TierArm.ECHASH),
              List.of(
                  new MixPhase("read_" + bytes, 0, size.requests()),
                  new MixPhase("read_95_" + bytes, 0.05, size.requests()),
                  new MixPhase("read_50_" + bytes, 0.5, size.requests()),
                  new MixPhase(UPDATES + bytes, 1, size.requests())),
              CONNECTIONS,
              DEPTH,
              size.repeats(),
              size.leastBlock()));
      readOnly.add("read_" + bytes);
      mostly.add("read_95_" + bytes);
      half.add("read_50_" + bytes);
    }
    stages.add(proxyGets(size));
    stages.add(oneConnection(size));
    return new TierExperiment(
        "echash-exp1",
        "ECHash §5.3, Experiment 1, Figure 11",
        "Requests to the memory tier: vanilla, ccmemcached and echash",
        stages,
        List.of(
            againstVanilla("ec.throughput_vs_vanilla_ro", readOnly, 0.97, "1"),
            againstVanilla("ec.throughput_vs_vanilla_95", mostly, 0.90, "1"),
            againstVanilla("ec.throughput_vs_vanilla_50", half, 0.65, "slightly below 1"),
            new Aim.Median(
                "ec.update_commands_1k",
                List.of(UPDATES + KIB),
                BlockMeasure.COMMANDS,
                ECHASH,
                Bound.atMost(4),
                ""),
            new Aim.Ratio(
                "ec.set_latency_1conn",
                List.of(ONE_CONNECTION),
                BlockMeasure.WRITE_P50_MICROS,
                ECHASH,
                VANILLA,
                Bound.atMost(1.6),
                ""),
            new Aim.Median(
                "ec.proxy_gets",
                List.of(PROXY_GETS),
                BlockMeasure.THROUGHPUT,
                ECHASH,
                Bound.atLeast(389_000),
                "")));
  }

  /** What the proxy can do: reads of small objects, on so few servers that packets are full. */
  private static TierStage proxyGets(EchashScale size) {
    return new RequestStage(
        PROXY_GETS,
        new TierShape(
            CODE_5_3, FEW_SERVERS, size.smallObjects(), SMALLEST_VALUE, TierNetwork.DIRECT),
        List.of(TierArm.VANILLA, TierArm.ECHASH),
        List.of(new MixPhase(PROXY_GETS, 0, size.requests())),
        CONNECTIONS,
        DEPTH,
        size.repeats(),
        size.leastBlock());
  }

  /** One set at a time. */
  private static TierStage oneConnection(EchashScale size) {
    return new RequestStage(
        ONE_CONNECTION,
        shape(size, CODE_5_3, KIB),
        List.of(TierArm.VANILLA, TierArm.CCMEMCACHED, TierArm.ECHASH),
        List.of(new MixPhase(ONE_CONNECTION, 1, size.requests() / CONNECTIONS)),
        1,
        1,
        size.repeats(),
        size.leastBlock());
  }

  private static Aim againstVanilla(String id, List<String> phases, double least, String paper) {
    return new Aim.Ratio(
        id, phases, BlockMeasure.THROUGHPUT, ECHASH, VANILLA, Bound.atLeast(least), paper);
  }

  /** Memory of the indexes against that of the objects. */
  static TierExperiment metadata(LabScale scale) {
    EchashScale size = EchashScale.of(scale);
    List<TierStage> stages = new ArrayList<>();
    for (int bytes : TABLE_3) {
      stages.add(
          new MetadataStage(
              String.valueOf(bytes), shape(size, CODE_5_3, bytes), List.of(TierArm.ECHASH)));
    }
    for (int bytes : FILLED) {
      stages.add(
          new FillStage(
              CODE_5_3, size.fullMegabytes(), bytes, List.of(TierArm.VANILLA, TierArm.ECHASH)));
    }
    return new TierExperiment(
        "echash-metadata",
        "ECHash §5.5, Table 3",
        "Memory of the indexes ÷ bytes of values, and values ÷ memory of full servers",
        stages,
        List.of(
            share("ec.metadata_64", 64, BlockMeasure.INDEX_SHARE, 0.146, "0.317"),
            share("ec.metadata_1k", KIB, BlockMeasure.INDEX_SHARE, 0.011, "0.025"),
            // with the chunk index, which is a mapped file: the kernel may write it out
            share("ec.metadata_64_mapped", 64, BlockMeasure.ALL_INDEXES_SHARE, 0.55, "0.317"),
            share("ec.metadata_1k_mapped", KIB, BlockMeasure.ALL_INDEXES_SHARE, 0.05, "0.025"),
            new Aim.Median(
                "ec.usable_memory",
                List.of(FillStage.phase(KIB)),
                BlockMeasure.USABLE_SHARE,
                ECHASH,
                Bound.atLeast(0.5),
                "")));
  }

  private static Aim share(String id, int bytes, BlockMeasure measure, double most, String paper) {
    return new Aim.Median(
        id,
        List.of(MetadataStage.phase(String.valueOf(bytes))),
        measure,
        ECHASH,
        Bound.atMost(most),
        paper);
  }

  /** A kill of the proxy of ten million objects, and the next one's start. */
  static TierExperiment restart(LabScale scale) {
    return new TierExperiment(
        "echash-restart",
        "beyond ECHash",
        "Kill of a proxy with many objects of 64 B, to the first answer of the next one",
        List.of(
            new RestartStage(
                CODE_5_3,
                FEW_SERVERS,
                scale == LabScale.SMOKE ? FEW_OBJECTS : MANY_OBJECTS,
                SMALLEST_VALUE,
                PROXY_HEAP,
                scale == LabScale.SMOKE ? 1 : RESTARTS)),
        List.of(
            new Aim.Median(
                "ec.restart_10m",
                List.of(RestartStage.PHASE),
                BlockMeasure.SECONDS,
                ECHASH,
                Bound.atMost(20),
                "")));
  }

  /** The tier's coder against ISA-L in C. */
  static TierExperiment coding(LabScale scale) {
    EchashScale size = EchashScale.of(scale);
    return new TierExperiment(
        "echash-coding",
        "ECHash §5.1",
        "Speed of encoding: the tier's coder ÷ the same library called from C",
        List.of(
            new CodingStage(
                "coding",
                List.of(CODE_5_3, new CodeShape(6, 4), new CodeShape(7, 5), CODE_8_6),
                size.coding(),
                List.of(CodingStage.OURS, CodingStage.IN_C),
                size.repeats())),
        List.of(
            codingSpeed("ec.coding_5_3", CodingStage.phase(CODE_5_3), 0.6),
            codingSpeed("ec.coding_8_6_single", CodingStage.phase(CODE_8_6), 0.9),
            codingSpeed("ec.coding_8_6", CodingStage.severalPhase(CODE_8_6), 0.95)));
  }

  private static Aim codingSpeed(String id, String phase, double least) {
    return new Aim.Ratio(
        id,
        List.of(phase),
        BlockMeasure.BYTE_THROUGHPUT,
        CodingStage.OURS,
        CodingStage.IN_C,
        Bound.atLeast(least),
        "");
  }

  /** A tier of a scale's size on loopback as it is. */
  static TierShape shape(EchashScale size, CodeShape code, int valueBytes) {
    return new TierShape(
        code,
        Math.max(code.n(), size.servers()),
        valueBytes < KIB ? size.smallObjects() : size.objects(),
        valueBytes,
        TierNetwork.DIRECT);
  }

  /** Arms of degraded reads during scaling. */
  static List<TierArm> migrating() {
    return List.of(TierArm.CCMEMCACHED_PAPER, TierArm.ECHASH_PAPER, TierArm.ECHASH);
  }

  /** Arms of repair: what echash may read, and the baseline. */
  static List<TierArm> repairing() {
    return List.of(
        TierArm.CCMEMCACHED,
        TierArm.ECHASH_CHUNK,
        TierArm.ECHASH_CHUNK_EACH,
        TierArm.ECHASH_FRAGMENT,
        TierArm.ECHASH);
  }
}
