package io.counterpart.cli.nodes;

import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cluster.Node;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A lock held while a command starts a node or a cluster, or stops a cluster. So a second command
 * does not overwrite the first one's files, or end its servers, and none launches a node after the
 * last look of one that stops all. The system releases it when the process ends, however it ends.
 */
public final class StartLock implements AutoCloseable {
  /** Stays for good: a lock on a file that is deleted meanwhile keeps nobody out. */
  private static final String FILE = "start.lock";

  private final List<FileChannel> channels;

  private StartLock(FileChannel... channels) {
    this.channels = List.of(channels);
  }

  /**
   * Of a node; those of other nodes of its cluster can be held at the same time, that of the
   * cluster cannot.
   *
   * @throws PreconditionException if another command holds it, or that of the cluster
   */
  public static StartLock take(Node node) throws IOException {
    Path home = Objects.requireNonNull(node.directory().getParent(), "home");
    FileChannel cluster = locked(home, true).orElseThrow(() -> busy(ofCluster(home)));
    try {
      return new StartLock(
          cluster, locked(node.directory(), false).orElseThrow(() -> busy(node.toString())));
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /**
   * Of the cluster in a directory.
   *
   * @throws PreconditionException if another command holds it, or the directory cannot be used
   */
  public static StartLock take(Path home) throws IOException {
    return tryTake(home).orElseThrow(() -> busy(ofCluster(home)));
  }

  /**
   * The same; empty if another command holds it.
   *
   * @throws PreconditionException if the directory cannot be used
   */
  static Optional<StartLock> tryTake(Path home) throws IOException {
    return locked(home, false).map(StartLock::new);
  }

  /** Whether a command has ever taken that of the cluster in a directory. */
  static boolean isKnown(Path home) {
    return Files.exists(home.resolve(FILE));
  }

  private static String ofCluster(Path home) {
    return "the cluster under " + home;
  }

  private static PreconditionException busy(String what) {
    return new PreconditionException(what + " is being started or stopped by another command");
  }

  private static Optional<FileChannel> locked(Path directory, boolean shared) throws IOException {
    FileChannel channel = open(directory);
    if (isTaken(channel, shared)) {
      return Optional.of(channel);
    }
    channel.close();
    return Optional.empty();
  }

  private static FileChannel open(Path directory) {
    try {
      if (!Files.isDirectory(directory)) { // a link to one cannot be created
        Files.createDirectories(directory);
      }
      return FileChannel.open(
          directory.resolve(FILE),
          StandardOpenOption.CREATE,
          StandardOpenOption.READ,
          StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new PreconditionException(
          "cannot write to the directory %s (%s)".formatted(directory, e));
    }
  }

  private static boolean isTaken(FileChannel channel, boolean shared) throws IOException {
    try {
      return channel.tryLock(0, Long.MAX_VALUE, shared) != null;
    } catch (OverlappingFileLockException thisProcessHasIt) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    for (FileChannel channel : channels) {
      channel.close();
    }
  }
}
