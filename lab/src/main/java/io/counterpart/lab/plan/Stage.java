package io.counterpart.lab.plan;

import io.counterpart.cluster.layout.Placement;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.setup.ServerShape;
import java.util.HashSet;
import java.util.List;

/**
 * A part of an experiment with a cluster of its own.
 *
 * @param nodes of the cluster, 1 to 32 where it is started for the stage
 * @param capacity most rows of a table, inserts of its blocks included, 1,000 to 10,000,000
 * @param arms what is compared, each once, all on nodes with the same tokens
 * @param steps in order
 * @param servers how the nodes share servers
 */
public record Stage(
    int nodes, int capacity, List<ExperimentArm> arms, List<Step> steps, ServerShape servers) {
  /** Checks that no arm is there twice, and that one cluster can have them all. */
  public Stage {
    arms = List.copyOf(arms);
    steps = List.copyOf(steps);
    if (arms.isEmpty() || new HashSet<>(arms).size() < arms.size()) {
      throw new IllegalArgumentException(
          "arms %s: needs at least one, and each at most once"
              .formatted(arms.stream().map(ExperimentArm::name).toList()));
    }
    for (ExperimentArm arm : arms) {
      if (arm.table().arm().isHeterogeneous() != servers.isHeterogeneous()) {
        throw new IllegalArgumentException(
            "arm %s: needs %s of its own, as in mycassandra-fig11-16"
                .formatted(
                    arm.name(),
                    servers.isHeterogeneous()
                        ? "nodes of one engine"
                        : "nodes of several classes"));
      }
    }
    if (arms.stream().map(ExperimentArm::placement).distinct().count() > 1) {
      throw new IllegalArgumentException(
          "arms %s: one cluster has one placement of tokens"
              .formatted(arms.stream().map(ExperimentArm::name).toList()));
    }
  }

  /** A stage on nodes that have a server each. */
  public Stage(int nodes, int capacity, List<ExperimentArm> arms, List<Step> steps) {
    this(nodes, capacity, arms, steps, ServerShape.USUAL);
  }

  /** Where the tokens of its cluster lie. */
  public Placement placement() {
    return servers.isHeterogeneous() ? Placement.ENGINES : arms.get(0).placement();
  }

  /** Whether coordinators decide about the consistency levels of reads in any of its arms. */
  public boolean decidesLevels() {
    return arms.stream().anyMatch(arm -> arm.routing().decidesLevels());
  }

  /** Storage engines of its tables. */
  public List<String> engines() {
    return tables().stream().flatMap(table -> table.arm().engines().stream()).distinct().toList();
  }

  /** The same stage on those of its arms that are named. */
  Stage withArms(List<String> names) {
    return new Stage(
        nodes,
        capacity,
        arms.stream().filter(arm -> names.contains(arm.name())).toList(),
        steps,
        servers);
  }

  /** The same stage on another number of nodes, with some of its steps. */
  Stage with(int number, List<Step> some) {
    return new Stage(number, capacity, arms, some, servers);
  }

  /** The tables of the arms, each once. */
  public List<LabTable> tables() {
    return arms.stream().map(ExperimentArm::table).distinct().toList();
  }

  /** Blocks that it measures. */
  int blocks() {
    int blocks = 0;
    for (Step step : steps) {
      if (step instanceof Step.Load load) {
        blocks += load.slices() * tables().size();
      } else if (step instanceof Step.Drain || step instanceof Step.Update) {
        blocks += tables().size();
      } else if (step instanceof Step.Rounds rounds) {
        blocks += rounds.rounds() * tables().size();
      } else if (step instanceof Step.Blocks run) {
        blocks += run.repetition().repeats() * run.of(arms).size();
      } else if (step instanceof Step.ColdReads cold) {
        blocks +=
            cold.repeats()
                * (int)
                    arms.stream().map(ExperimentArm::name).filter(cold.arms()::contains).count();
      } else if (step instanceof Step.Recover recover) {
        blocks += recover.repeats() * recover.rounds(tables()).stream().mapToInt(List::size).sum();
      } else if (step instanceof Step.ReadsUnderRepair reads) {
        blocks += (int) arms.stream().filter(arm -> arm.routing() == reads.routing()).count();
      }
    }
    return blocks;
  }

  /** Whether any of its blocks runs under limits, or with a slow node. */
  public boolean isLimited() {
    return steps.stream()
        .anyMatch(
            step ->
                step instanceof Step.Limited limited && limited.regime().isLimited()
                    || step instanceof Step.Disturb disturb && disturb.by().hasSlowNode());
  }
}
