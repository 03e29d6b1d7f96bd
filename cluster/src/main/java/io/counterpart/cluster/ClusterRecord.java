package io.counterpart.cluster;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.Location;
import io.counterpart.cluster.layout.NodeLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * {@code cluster.json} as one process writes it. Other processes add nodes meanwhile, such as one
 * that replaces a dead node while this process stops another. Those stay recorded. Thread-safe.
 */
final class ClusterRecord {

  /** Of all nodes that this process has ever known; none before the first record. */
  private final Set<Integer> known = new HashSet<>();

  /** Takes note of the nodes of a state that was read. */
  synchronized void note(ClusterState state) {
    state.members().forEach(member -> known.add(member.layout().index()));
  }

  /** Writes a state, and with it the nodes that others have added since it was read. */
  synchronized void write(ClusterState state) {
    // a first record takes the place of that of a former cluster
    boolean isFirst = known.isEmpty();
    note(state);
    try {
      List<ClusterState.Member> members = new ArrayList<>(state.members());
      if (!isFirst) {
        members.addAll(added(state.spec().home()));
      }
      new ClusterState(state.spec(), members).write();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot record the cluster's state", e);
    }
  }

  private List<ClusterState.Member> added(Path home) throws IOException {
    return ClusterState.read(home).stream()
        .flatMap(state -> state.members().stream())
        .filter(member -> !known.contains(member.layout().index()))
        .toList();
  }

  /**
   * Index of one more node. Its directory is made here, since another process may be about to add a
   * node, too: only one of them makes it.
   */
  static int claimIndex(ClusterSpec spec, List<Node> nodes) {
    int index = nodes.stream().mapToInt(Node::index).max().orElse(0) + 1;
    try {
      while (true) {
        Path directory = NodeLayout.of(spec, index, Location.DEFAULT, List.of()).directory();
        try {
          Files.createDirectory(directory);
          return index;
        } catch (FileAlreadyExistsException taken) {
          index++;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a node's directory in " + spec.home(), e);
    }
  }
}
