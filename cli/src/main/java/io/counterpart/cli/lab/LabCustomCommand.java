package io.counterpart.cli.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.counterpart.lab.experiment.CustomExperiment;
import io.counterpart.lab.plan.LabPlan;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.setup.LabCluster;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counterpart lab custom}. */
@Command(
    name = "custom",
    description = {
      "Loads tables and runs operation mixes of your choice on arms of your choice,",
      "in alternating blocks, and keeps the run as lab run does."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every value was read back intact",
      ClusterRun.BROKEN_OFF,
      "2:unknown mix or arm, or bad option: nothing was started",
      ClusterRun.REFUSED,
      ClusterRun.INTERRUPTED
    })
final class LabCustomCommand implements Callable<Integer> {
  private static final JsonMapper CQL_MAP =
      JsonMapper.builder().enable(JsonReadFeature.ALLOW_SINGLE_QUOTES).build();

  @Spec private CommandSpec command;

  @Option(
      names = "--mix",
      split = ",",
      description = "read, update, insert, scan, ycsb_a to ycsb_f; default: read",
      paramLabel = "MIX")
  private List<String> mixes = List.of("read");

  @Option(
      names = "--arms",
      split = ",",
      description = {
        "lcs, stcs, ucs_t4, ucs_l10, ucs_n, mlsm, decoupled (L10 tree), decoupled_t4,",
        "decoupled_sN (N: a number or unlimited), or one of --arm; with +pf reads go to the",
        "primary first; default: lcs,decoupled_t4+pf"
      },
      paramLabel = "ARM")
  private List<String> arms = List.of("lcs", "decoupled_t4+pf");

  @Option(
      names = "--arm",
      description = "an arm of your own: compaction options as in CQL; repeatable",
      paramLabel = "NAME={'class': …}")
  private Map<String, String> compactions = new LinkedHashMap<>();

  @Option(
      names = "--rf",
      description = "replication factor, 1 to the nodes; default: 3",
      paramLabel = "N")
  private int replicationFactor = LabCluster.REPLICATION_FACTOR;

  @Option(names = "--nodes", description = "1 to 32; default: 5", paramLabel = "N")
  private int nodes = LabCluster.NODES;

  @Option(
      names = "--write-level",
      description = "consistency level of writes; default: ONE",
      paramLabel = "CL")
  private String writeLevel = "ONE";

  @Option(
      names = "--read-level",
      description = "consistency level of reads; default: ONE",
      paramLabel = "CL")
  private String readLevel = "ONE";

  @Option(
      names = "--rows",
      description = "of each table, 1000 to 10000000; default: 100000",
      paramLabel = "N")
  private int rows = 100_000;

  @Option(
      names = "--operations",
      description = "of each block, 1 to 100000000; default: 10000",
      paramLabel = "N")
  private int operations = 10_000;

  @Option(
      names = "--warm-ups",
      description = "blocks of each mix and arm that are not measured, 0 to 100; default: 1",
      paramLabel = "N")
  private int warmUps = 1;

  @Option(
      names = "--repeats",
      description = "blocks of each mix and arm, 1 to 100; default: 5",
      paramLabel = "N")
  private int repeats = 5;

  @Option(
      names = "--cache",
      description = "a node's page cache ÷ its data, 0.01 to 10; default: not limited",
      paramLabel = "FRACTION")
  private double cache;

  @Option(
      names = "--disk-reads",
      description = "a node's disk reads per second, 10 to 1000000; default: not limited",
      paramLabel = "N")
  private int diskReads;

  @Mixin private final ClientOptions client = new ClientOptions();

  @Mixin private final KeepOptions keep = new KeepOptions();

  @ArgGroup private LiveOptions live = new LiveOptions();

  @ArgGroup(exclusive = false, heading = "%nOn a cluster that somebody else runs:%n")
  private @Nullable RemoteOptions remote;

  @Override
  public Integer call() throws Exception {
    LabPlan plan = plan();
    CommandLine console = command.commandLine();
    LabResult result =
        ClusterRun.prepare(CustomExperiment.NAME, keep, remote, console).run(plan, live, console);
    return result.clean() ? 0 : 1;
  }

  private LabPlan plan() {
    try {
      return KeptPlan.of(
          new CustomExperiment(
              mixes,
              arms,
              options(),
              replicationFactor,
              nodes,
              writeLevel,
              readLevel,
              rows,
              operations,
              warmUps,
              repeats,
              cache,
              diskReads),
          client.seed(),
          client.shape(),
          client.settings());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private Map<String, Map<String, String>> options() {
    Map<String, Map<String, String>> all = new LinkedHashMap<>();
    compactions.forEach((name, map) -> all.put(name, options(name, map)));
    return all;
  }

  private static Map<String, String> options(String name, String map) {
    try {
      return CQL_MAP.readValue(map, new TypeReference<LinkedHashMap<String, String>>() {});
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "--arm %s=%s: must be a map as in CQL, such as {'class': 'LeveledCompactionStrategy'}"
              .formatted(name, map),
          e);
    }
  }
}
