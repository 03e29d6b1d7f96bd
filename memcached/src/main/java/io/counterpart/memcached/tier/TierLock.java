package io.counterpart.memcached.tier;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Excludes concurrent commands that change the tier of a directory. The lock ends with its process.
 */
public final class TierLock implements AutoCloseable {

  private final FileChannel channel;

  private TierLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock, without waiting.
   *
   * @param home created if it is missing
   * @return empty if another process has it
   */
  public static Optional<TierLock> take(Path home) {
    try {
      Files.createDirectories(home);
      FileChannel channel =
          FileChannel.open(
              home.resolve("cache.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (isTaken(channel)) {
        channel.close();
        return Optional.empty();
      }
      return Optional.of(new TierLock(channel));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot lock " + home + ": " + e, e);
    }
  }

  private static boolean isTaken(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock == null;
    } catch (OverlappingFileLockException heldByThisProcess) {
      return true;
    }
  }

  @Override
  public void close() {
    try {
      // gives the lock back
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot unlock", e);
    }
  }
}
