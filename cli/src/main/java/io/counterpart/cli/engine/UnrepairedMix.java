package io.counterpart.cli.engine;

import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cluster.Node;
import io.counterpart.core.placement.engine.EngineMix;
import io.counterpart.core.placement.engine.MixChange;
import io.counterpart.lab.remote.mix.MixPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A change of a mix whose repair has not ended. Copies of that mix may still be empty, and levels
 * for another change are computed as if they were not. Known to every command on this machine by a
 * file in the directory of the cluster's first node, which goes with the node.
 *
 * @param file holds the mix that the schema got
 */
record UnrepairedMix(Path file) {

  static UnrepairedMix of(List<Node> nodes, String keyspace) {
    return new UnrepairedMix(nodes.get(0).directory().resolve("unrepaired-mix-" + keyspace));
  }

  /**
   * Looks whether the present mix is repaired, before another one takes its place. A file of
   * another mix is of a change that did not come about, or of a keyspace of before.
   *
   * @throws PreconditionException with the command that ends the repair
   */
  void require(MixPlan plan) {
    String present = mixes(plan, MixChange::from);
    if (plan.isDone() || !Files.exists(file) || !read().equals(present)) {
      return;
    }
    throw new PreconditionException(
        ("the repair after the last change of %s has not ended, and its new copies may be empty: run"
                + " counterpart engine mix %s %s%s first, or delete %s if a repair on every node has"
                + " ended since")
            .formatted(
                plan.keyspace(),
                plan.keyspace(),
                plan.own().from().option(),
                plan.datacenterOption(),
                file));
  }

  /** Before the schema gets the mix. */
  void begin(MixPlan plan) {
    try {
      Files.writeString(file, mixes(plan, MixChange::to));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  /** When every node is repaired. */
  void end() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + file, e);
    }
  }

  private String read() {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private static String mixes(MixPlan plan, Function<MixChange, EngineMix> which) {
    return new TreeMap<>(plan.change().byDatacenter())
        .entrySet().stream()
            .map(entry -> entry.getKey() + " " + which.apply(entry.getValue()).option())
            .collect(Collectors.joining("\n"));
  }
}
