package io.counterpart.cluster;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.NodeFiles;
import io.counterpart.cluster.layout.NodeLayout;
import io.counterpart.process.Check;
import io.counterpart.process.PreflightException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A home directory before a fresh cluster starts there. */
final class FreshHome {
  private FreshHome() {}

  /**
   * Deletes the data of a stopped cluster, and makes the class archive if there is none yet.
   *
   * @throws PreflightException if the machine cannot hold the cluster, or the home has directories
   *     that are somebody else's; nothing was touched
   * @throws IllegalStateException if a cluster is running there
   */
  static void prepare(ClusterSpec spec) throws IOException, InterruptedException {
    Optional<Cluster> previous = Cluster.recorded(spec.home());
    if (previous.isPresent() && previous.get().isRunning()) {
      throw new IllegalStateException("a cluster is already running under " + spec.home());
    }
    requireOwn(spec, previous);
    Preflight.require(spec);
    for (Node node : previous.map(Cluster::nodes).orElse(List.of())) {
      node.end();
      NodeFiles.deleteTree(node.directory());
    }
    Optional<ClassArchive> archive = ClassArchive.of(spec);
    if (archive.isPresent()) {
      archive.get().makeOnce(file -> Rehearsal.record(spec, file));
    }
  }

  /** What is there without a record is somebody else's: a purge would delete it. */
  private static void requireOwn(ClusterSpec spec, Optional<Cluster> previous) {
    Set<Path> known =
        previous.map(Cluster::nodes).orElse(List.of()).stream()
            .map(node -> node.directory().getFileName())
            .collect(Collectors.toSet());
    Stream<Path> needed = NodeLayout.of(spec).stream().map(NodeLayout::directory);
    Stream<Path> shared =
        previous.isPresent() ? Stream.empty() : Stream.of(spec.home().resolve("nodetool"));
    Stream.concat(needed, shared)
        .filter(directory -> !known.contains(directory.getFileName()))
        .filter(directory -> Files.exists(directory, LinkOption.NOFOLLOW_LINKS))
        .findFirst()
        .ifPresent(FreshHome::refuse);
  }

  private static void refuse(Path directory) {
    throw new PreflightException(
        List.of(
            new Check(
                "home",
                false,
                "%s is there, and no cluster.json beside it names it".formatted(directory),
                "another --home, or that directory moved away")));
  }
}
