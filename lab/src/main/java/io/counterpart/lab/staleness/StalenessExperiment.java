package io.counterpart.lab.staleness;

import java.util.List;

/**
 * A declared experiment on stale reads.
 *
 * @param name stable name, as the command line takes it
 * @param paper its place in the paper
 * @param title its subject
 * @param nodes the cluster that all stages run on
 * @param stages one after the other, at least one, of no more replicas than there are nodes
 */
public record StalenessExperiment(
    String name, String paper, String title, NodeSetup nodes, List<StalenessStage> stages) {
  /** Checks the stages. */
  public StalenessExperiment {
    stages = List.copyOf(stages);
    if (stages.isEmpty()) {
      throw new IllegalArgumentException("experiment %s: needs a stage".formatted(name));
    }
    for (StalenessStage stage : stages) {
      if (stage.replicas() > nodes.nodes()) {
        throw new IllegalArgumentException(
            "experiment %s: %d replicas, legal: at most the %d nodes"
                .formatted(name, stage.replicas(), nodes.nodes()));
      }
    }
  }

  /** Blocks that a whole run measures. */
  public int blocks() {
    return stages.stream().mapToInt(StalenessStage::blocks).sum();
  }
}
