package io.counterpart.cli.node;

import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cluster.Node;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A lock held while a command starts a node, so that a second command does not overwrite the first
 * one's files. The system releases it when the process ends, however it ends.
 */
public final class StartLock implements AutoCloseable {
  private final FileChannel channel;

  private StartLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * @throws PreconditionException if another command holds it
   */
  public static StartLock take(Node node) throws IOException {
    Files.createDirectories(node.directory());
    FileChannel channel =
        FileChannel.open(
            node.directory().resolve("start.lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
    @Nullable FileLock lock = channel.tryLock();
    if (lock == null) {
      channel.close();
      throw new PreconditionException(node + " is being started by another command");
    }
    return new StartLock(channel);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
