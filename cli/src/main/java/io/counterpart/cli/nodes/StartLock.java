package io.counterpart.cli.nodes;

import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cluster.Node;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A lock held while a command starts a node or a cluster, so that a second command does not
 * overwrite the first one's files, or end its servers. The system releases it when the process
 * ends, however it ends.
 */
public final class StartLock implements AutoCloseable {
  /** Stays for good: a lock on a file that is deleted meanwhile keeps nobody out. */
  private static final String FILE = "start.lock";

  private final FileChannel channel;

  private StartLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * @throws PreconditionException if another command holds it
   */
  public static StartLock take(Node node) throws IOException {
    return take(node.directory(), node.toString());
  }

  /**
   * Of the cluster in a directory.
   *
   * @throws PreconditionException if another command holds it, or the directory cannot be used
   */
  public static StartLock take(Path home) throws IOException {
    return take(home, "the cluster under " + home);
  }

  private static StartLock take(Path directory, String what) throws IOException {
    FileChannel channel = open(directory);
    if (!isTaken(channel)) {
      channel.close();
      throw new PreconditionException(what + " is being started by another command");
    }
    return new StartLock(channel);
  }

  private static FileChannel open(Path directory) {
    try {
      Files.createDirectories(directory);
      return FileChannel.open(
          directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new PreconditionException(
          "cannot write to the directory %s (%s)".formatted(directory, e));
    }
  }

  private static boolean isTaken(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException thisProcessHasIt) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
