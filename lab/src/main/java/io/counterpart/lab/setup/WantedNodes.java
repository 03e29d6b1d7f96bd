package io.counterpart.lab.setup;

import io.counterpart.cluster.layout.Placement;
import java.util.List;

/**
 * The nodes that a stage of an experiment runs on.
 *
 * @param count how many
 * @param placement of their tokens
 * @param decidesLevels whether they have the consistency query handler
 * @param engines names of the storage engines that their tables may name
 * @param servers how nodes share servers
 */
public record WantedNodes(
    int count,
    Placement placement,
    boolean decidesLevels,
    List<String> engines,
    ServerShape servers) {
  /** Keeps the names. */
  public WantedNodes {
    engines = List.copyOf(engines);
  }
}
