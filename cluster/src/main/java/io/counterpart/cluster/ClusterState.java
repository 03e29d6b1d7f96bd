package io.counterpart.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.NodeFiles;
import io.counterpart.cluster.layout.NodeLayout;
import io.counterpart.process.ProcessIdentity;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The content of {@code cluster.json}: enough to find, stop and restart a cluster from any process.
 */
record ClusterState(ClusterSpec spec, List<Member> members) {

  private static final ObjectMapper JSON = new ObjectMapper();

  ClusterState {
    members = List.copyOf(members);
  }

  /**
   * @param process the running or last one; null while the node is stopped
   * @param servers of its engines, by engine; absent in states of older versions, which stands for
   *     none
   * @param replaces address of the dead node in whose place it was put; null for all others
   */
  record Member(
      NodeLayout layout,
      @Nullable ProcessIdentity process,
      Map<String, ProcessIdentity> servers,
      @Nullable String replaces) {

    Member {
      servers = servers == null ? Map.of() : Map.copyOf(servers);
    }

    /** One whose starter was killed before it could record it is known by its command line. */
    @Nullable ProcessIdentity found() {
      return process != null && process.isAlive()
          ? process
          : ProcessIdentity.withArgument(NodeCommandLine.storageArgument(layout)).orElse(process);
    }
  }

  static Path file(Path home) {
    return home.toAbsolutePath().normalize().resolve("cluster.json");
  }

  /** Replaces the file atomically, so that a reader never sees half of it. */
  void write() throws IOException {
    Files.createDirectories(spec.home());
    // a file of its own: another process may be writing, too
    Path next = Files.createTempFile(spec.home(), "cluster.json.", ".next");
    try {
      JSON.writerWithDefaultPrettyPrinter().writeValue(next.toFile(), this);
      try (FileChannel written = FileChannel.open(next, StandardOpenOption.WRITE)) {
        written.force(true); // or a loss of power leaves an empty file
      }
      Files.move(
          next,
          file(spec.home()),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  /** Deletes the files of a cluster whose nodes have ended, this one last. */
  void delete() throws IOException {
    for (Member member : members) {
      NodeFiles.deleteTree(member.layout().directory());
    }
    NodeFiles.deleteTree(spec.home().resolve("nodetool"));
    Files.deleteIfExists(ThrowawayHome.mark(spec.home()));
    Files.deleteIfExists(file(spec.home()));
  }

  /**
   * @throws IOException if the file is there but damaged, or was copied or moved, naming it
   */
  static Optional<ClusterState> read(Path home) throws IOException {
    Path file = file(home);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      ClusterState state = JSON.readValue(file.toFile(), ClusterState.class);
      Path recorded = state.spec().home();
      if (!Files.exists(recorded) || !Files.isSameFile(recorded, file.getParent())) {
        throw new IOException(
            "it is of a cluster under "
                + recorded
                + ", and would act there; legal: that directory");
      }
      return Optional.of(state);
    } catch (IOException e) {
      throw new IOException(
          "cannot read the cluster's state in " + file + ": " + e.getMessage(), e);
    }
  }
}
