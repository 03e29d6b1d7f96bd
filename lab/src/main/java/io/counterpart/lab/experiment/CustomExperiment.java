package io.counterpart.lab.experiment;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.ExperimentArm;
import io.counterpart.lab.plan.Regime;
import io.counterpart.lab.plan.Repetition;
import io.counterpart.lab.plan.Routing;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.workload.ConsistencyLevels;
import io.counterpart.lab.workload.OperationMix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A user-defined experiment: a load, then blocks of each mix on each arm. It is also what a result
 * keeps, so that it can be repeated.
 *
 * @param mixes names of {@link OperationMix}es, in order
 * @param arms names of arms; with {@value #PRIMARY_FIRST} at the end, reads go to the primary first
 * @param compactions compaction options of arms that the lab does not know, by name
 * @param replicationFactor 1 to the number of nodes
 * @param nodes 1 to {@value #MAX_NODES}
 * @param writeLevel consistency level of writes
 * @param readLevel consistency level of reads
 * @param rows loaded into each table, {@value #MIN_ROWS} to {@value #MAX_ROWS}
 * @param operations of a block, 1 to {@value #MAX_OPERATIONS}
 * @param warmUps blocks of each mix and arm that are not measured, 0 to {@value #MAX_REPEATS}
 * @param repeats blocks of each mix and arm, 1 to {@value #MAX_REPEATS}
 * @param cacheFraction as {@link Regime} has it
 * @param readsPerSecond as {@link Regime} has it
 */
public record CustomExperiment(
    List<String> mixes,
    List<String> arms,
    Map<String, Map<String, String>> compactions,
    int replicationFactor,
    int nodes,
    String writeLevel,
    String readLevel,
    int rows,
    int operations,
    int warmUps,
    int repeats,
    double cacheFraction,
    int readsPerSecond) {
  /** Name of such an experiment. */
  public static final String NAME = "custom";

  static final String PRIMARY_FIRST = "+pf";
  static final int MAX_NODES = 32;
  static final int MIN_ROWS = 1_000;
  static final int MAX_ROWS = 10_000_000;
  static final int MAX_OPERATIONS = 100_000_000;
  static final int MAX_REPEATS = 100;
  // blocks of reads before each measured one where the cache is limited, as at small scale
  private static final int FILLS = 5;
  private static final int SLICES = 5;

  /** Checks every range and name. */
  public CustomExperiment {
    mixes = List.copyOf(mixes);
    arms = List.copyOf(arms);
    compactions = Collections.unmodifiableMap(new LinkedHashMap<>(compactions));
    require("nodes", nodes, 1, MAX_NODES);
    require("replication factor", replicationFactor, 1, nodes);
    require("rows", rows, MIN_ROWS, MAX_ROWS);
    require("operations", operations, 1, MAX_OPERATIONS);
    require("warm-ups", warmUps, 0, MAX_REPEATS);
    require("repeats", repeats, 1, MAX_REPEATS);
    if (mixes.isEmpty()) {
      throw new IllegalArgumentException("mixes []: needs at least one");
    }
    compactions
        .keySet()
        .forEach(
            name -> {
              if (!name.matches("[a-z][a-z0-9_]{0,29}")) {
                throw new IllegalArgumentException(
                    "arm '%s': must be 1 to 30 of a-z, 0-9 and _, a letter first".formatted(name));
              }
            });
  }

  /**
   * The experiment.
   *
   * @throws IllegalArgumentException naming the value and what is legal
   */
  public Experiment experiment() {
    List<Step> steps = new ArrayList<>();
    steps.add(new Step.Load("load", rows, SLICES));
    steps.add(new Step.Drain("drain"));
    Regime regime = new Regime(cacheFraction, readsPerSecond);
    ConsistencyLevels levels = new ConsistencyLevels(level(writeLevel), level(readLevel));
    long capacity = rows;
    int fill = regime.isLimited() ? FILLS * operations : 0;
    for (String name : mixes) {
      OperationMix mix = OperationMix.named(name);
      steps.add(
          new Step.Blocks(
              name, mix, levels, new Repetition(operations, fill, warmUps, repeats), regime));
      capacity += mix.insert() > 0 ? (long) operations * (warmUps + repeats) * arms.size() : 0;
    }
    if (capacity > MAX_ROWS) {
      throw new IllegalArgumentException(
          ("rows %d with %d operations: blocks that insert could bring a table to %d rows, and %d is"
                  + " the most")
              .formatted(rows, operations, capacity, MAX_ROWS));
    }
    return new Experiment(
        NAME,
        "none",
        "%s on %s".formatted(String.join(", ", mixes), String.join(", ", arms)),
        List.of(new Stage(nodes, (int) capacity, arms.stream().map(this::arm).toList(), steps)),
        List.of());
  }

  private ExperimentArm arm(String name) {
    boolean primaryFirst = name.endsWith(PRIMARY_FIRST);
    String table = primaryFirst ? name.substring(0, name.length() - PRIMARY_FIRST.length()) : name;
    return new ExperimentArm(
        new LabTable(compaction(table), replicationFactor),
        primaryFirst ? Routing.PRIMARY_FIRST : Routing.STOCK);
  }

  private Arm compaction(String name) {
    Map<String, String> options = compactions.get(name);
    if (options == null) {
      return Arm.known(name).forRows(rows);
    }
    if (!options.containsKey("class")) {
      throw new IllegalArgumentException(
          "arm '%s': %s has no 'class' of a compaction strategy".formatted(name, options));
    }
    return new Arm(name, options);
  }

  private static DefaultConsistencyLevel level(String name) {
    return Arrays.stream(DefaultConsistencyLevel.values())
        .filter(level -> level.name().equalsIgnoreCase(name) && !level.isSerial())
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "consistency level '%s': must be one of %s"
                        .formatted(
                            name,
                            Arrays.stream(DefaultConsistencyLevel.values())
                                .filter(level -> !level.isSerial())
                                .toList())));
  }

  private static void require(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s %d: must be %d to %d".formatted(name, value, least, most));
    }
  }
}
