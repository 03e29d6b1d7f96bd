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
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A change of a mix whose repair has not ended. Copies of that mix may still be empty, and levels
 * for another change are computed as if they were not. Known to every command on this machine by
 * files in the directories of the cluster's nodes, which go with the nodes.
 *
 * @param files one for each node, with a line for each mix that the schema may have got; a node
 *     that has come since has none
 */
record UnrepairedMix(List<Path> files) {
  /** Copies the list. */
  UnrepairedMix {
    files = List.copyOf(files);
  }

  static UnrepairedMix of(List<Node> nodes, String keyspace) {
    String name = "unrepaired-mix-" + keyspace;
    return new UnrepairedMix(nodes.stream().map(node -> node.directory().resolve(name)).toList());
  }

  /**
   * Looks whether the present mix is repaired, before another one takes its place. Another mix in
   * the files is of a change that did not come about, or of a keyspace of before.
   *
   * @throws PreconditionException with the command that ends the repair
   */
  void require(MixPlan plan) {
    if (plan.isDone() || !known().contains(mixes(plan, MixChange::from))) {
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
                files.stream()
                    .filter(Files::exists)
                    .map(Path::toString)
                    .collect(Collectors.joining(" "))));
  }

  /**
   * Before the schema gets the mix. It may be refused yet, since another command was faster: what
   * that one has begun stays known.
   */
  void begin(MixPlan plan) {
    Set<String> mixes = known();
    mixes.add(mixes(plan, MixChange::to));
    for (Path file : files) {
      try {
        Files.write(
            file,
            mixes,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE,
            StandardOpenOption.SYNC); // the schema's change is durable at once, too
      } catch (IOException e) {
        throw new UncheckedIOException("cannot write " + file, e);
      }
    }
  }

  /** When every node is repaired. */
  void end() {
    for (Path file : files) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot delete " + file, e);
      }
    }
  }

  private Set<String> known() {
    Set<String> mixes = new TreeSet<>();
    for (Path file : files) {
      try {
        if (Files.exists(file)) {
          mixes.addAll(Files.readAllLines(file));
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + file, e);
      }
    }
    return mixes;
  }

  private static String mixes(MixPlan plan, Function<MixChange, EngineMix> which) {
    return new TreeMap<>(plan.change().byDatacenter())
        .entrySet().stream()
            .map(entry -> entry.getKey() + " " + which.apply(entry.getValue()).option())
            .collect(Collectors.joining("; "));
  }
}
