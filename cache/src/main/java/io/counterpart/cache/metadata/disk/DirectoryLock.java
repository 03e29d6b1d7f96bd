package io.counterpart.cache.metadata.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Excludes a second log from a directory, in this process and in others. The lock ends with the
 * process.
 *
 * <p>The kernel's lock is on {@code lock}. The file {@code owner} names the holder and is read
 * first: within one process, merely opening and closing {@code lock} again would release the lock.
 */
public final class DirectoryLock implements AutoCloseable {
  private final Path owner;
  private final FileChannel channel;

  private DirectoryLock(Path owner, FileChannel channel) {
    this.owner = owner;
    this.channel = channel;
  }

  /**
   * Takes the directory.
   *
   * @throws DirectoryInUseException if another process has it, with its process id
   * @throws IOException if it cannot be taken for another reason
   */
  // one after the other in this process: between lock and owner's name a second one would drop it
  public static synchronized DirectoryLock take(Path directory) throws IOException {
    Path owner = directory.resolve("owner");
    String self = describe(directory, ProcessHandle.current());
    if (self.equals(read(owner))) {
      throw inUse(directory, owner);
    }
    FileChannel channel =
        FileChannel.open(
            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (tryLock(channel) == null) {
        throw inUse(directory, owner);
      }
      Files.writeString(owner, self);
      return new DirectoryLock(owner, channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static DirectoryInUseException inUse(Path directory, Path owner) throws IOException {
    return new DirectoryInUseException(
        "directory "
            + directory
            + " is in use by "
            + read(owner).lines().findFirst().orElse("another process")
            + "; each proxy needs one of its own");
  }

  private static String read(Path owner) throws IOException {
    try {
      return Files.readString(owner);
    } catch (NoSuchFileException nobody) {
      return "";
    }
  }

  /**
   * Describes the holder. The description includes the path, so that a copy of the directory has no
   * holder.
   */
  private static String describe(Path directory, ProcessHandle process) throws IOException {
    return "process "
        + process.pid()
        + "\nsince "
        + process.info().startInstant().map(Instant::toString).orElse("unknown")
        + "\non "
        + directory.toRealPath()
        + "\n";
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // this process took it a moment ago
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (DirectoryLock.class) {
      try (channel) {
        Files.deleteIfExists(owner);
      }
    }
  }
}
