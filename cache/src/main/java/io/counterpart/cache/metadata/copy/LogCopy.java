package io.counterpart.cache.metadata.copy;

import io.counterpart.cache.metadata.CopiedTo;
import io.counterpart.cache.metadata.LogDirectory;
import io.counterpart.cache.metadata.LogFiles;
import io.counterpart.cache.metadata.LogPosition;
import io.counterpart.cache.metadata.disk.DirectoryLock;
import io.counterpart.cache.metadata.disk.DurableFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a log in a directory of this machine. The files are the owner's, byte for byte, and at
 * each moment a prefix of its log: a takeover opens them as after a loss of power. While the copy
 * is made from the beginning, the directory is marked as {@link OldCopy}, so that nobody opens it.
 *
 * <p>Holds the directory's lock. Not thread-safe.
 */
public final class LogCopy implements AutoCloseable {
  private static final long NOTE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** No less than a file's header. */
  private static final int HEADER_BYTES = 64;

  private final Path path;
  private final LogDirectory directory;
  private final DirectoryLock lock;

  /** Lengths of the log's files by number, from the first that counts on. */
  private final TreeMap<Integer, Integer> lengths = new TreeMap<>();

  /** Files of a checkpoint that does not count yet, the first one first. */
  private final TreeMap<Integer, Integer> checkpoint = new TreeMap<>();

  private int start;
  private long durable;
  private long notedNanos = System.nanoTime();

  /** The file that grows, if it is open. */
  private @Nullable FileChannel growing;

  private LogCopy(Path path, DirectoryLock lock) throws IOException {
    this.path = path;
    this.lock = lock;
    this.directory = new LogDirectory(path);
    this.start = directory.start();
    find(Long.MAX_VALUE);
    durable = end();
  }

  /**
   * Opens the copy in a directory, which is made if it is missing.
   *
   * @throws io.counterpart.cache.metadata.disk.DirectoryInUseException if a log or another copy has
   *     it
   * @throws IOException if it cannot be read
   */
  public static LogCopy open(Path path) throws IOException {
    DurableFiles.makeDirectories(path);
    DirectoryLock lock = DirectoryLock.take(path);
    try {
      return new LogCopy(path, lock);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** Finds the log here, up to a position. */
  private void find(long most) throws IOException {
    lengths.clear();
    NavigableMap<Integer, Path> files = directory.segments();
    int number = start;
    for (Path file = files.get(number);
        file != null && LogPosition.of(number, 0) < most;
        file = files.get(number)) {
      int length = Math.toIntExact(Files.size(file));
      boolean isLast = LogPosition.of(number, length) >= most;
      lengths.put(number, isLast ? LogPosition.offset(most) : length);
      if (isLast || length == 0) {
        return;
      }
      number = LogFiles.following(file, number);
    }
  }

  /** Whether the log here has more than it had when it followed an owner last. */
  public boolean hasShorter() throws IOException {
    return CopiedTo.position(path).orElse(Long.MAX_VALUE) < end();
  }

  /**
   * Leaves only what the log here had when it followed an owner last. The copy has another id from
   * now on.
   */
  public void shorten() throws IOException {
    CopyIdentity.renew(path);
    find(CopiedTo.position(path).orElseThrow());
    durable = end();
  }

  /** Checksum (CRC32C) of what is here of a file. */
  public int checksum(int file) throws IOException {
    return CopyFiles.checksum(directory.segment(file), Objects.requireNonNull(lengths.get(file)));
  }

  /** Lengths of the files here that may be the owner's, by number. */
  public NavigableMap<Integer, Integer> files() {
    return Collections.unmodifiableNavigableMap(lengths);
  }

  /** The id of the copy. */
  public long id() throws IOException {
    return CopyIdentity.of(path);
  }

  /** Number of the first file that counts. */
  public int start() {
    return start;
  }

  /** Position of the end of the copy. */
  public long end() {
    return lengths.isEmpty()
        ? LogPosition.of(start, 0)
        : LogPosition.of(lengths.lastKey(), lengths.lastEntry().getValue());
  }

  /** Position up to which the copy is on disk. */
  public long durable() {
    return durable;
  }

  /** Whether everything before {@link #end} is here: it may be opened. */
  public boolean isWhole() {
    return !OldCopy.isNoted(path) && !lengths.isEmpty();
  }

  /** Goes on with the files here, which are the owner's, and drops whatever else there is. */
  public void goOn() throws IOException {
    NavigableMap<Integer, Path> files = directory.segments();
    files.keySet().removeAll(lengths.keySet());
    directory.delete(List.copyOf(files.keySet()));
    if (!lengths.isEmpty()) {
      channel().truncate(lengths.lastEntry().getValue());
    }
    sync();
    note();
  }

  /**
   * Begins from the first file that counts for the owner, without anything that is here. The copy
   * has another id from now on.
   */
  public void beginAnew(int ownersStart) throws IOException {
    CopyIdentity.renew(path);
    OldCopy.note(path, "the copy from the owner was interrupted");
    CopyFiles.close(growing);
    growing = null;
    directory.delete(List.copyOf(directory.segments().keySet()));
    directory.setStart(ownersStart);
    lengths.clear();
    checkpoint.clear();
    start = ownersStart;
    durable = end();
    note();
  }

  /**
   * Appends bytes of the log.
   *
   * @param file number of the file that grows; 0 is no legal number
   * @throws IllegalArgumentException if they do not follow what is here
   */
  public void append(int file, int offset, byte[] bytes) throws IOException {
    int length = lengths.getOrDefault(file, 0);
    boolean isLast = lengths.isEmpty() ? file == start : file >= lengths.lastKey();
    if (!isLast || offset != length) {
      throw new IllegalArgumentException(
          "bytes from %d on of file %d, legal: from %s on"
              .formatted(offset, file, LogPosition.name(end())));
    }
    if (!lengths.containsKey(file)) {
      sync(); // the file before must be whole on disk when this one exists
      CopyFiles.close(growing);
      growing = null;
      lengths.put(file, 0);
    }
    if (offset == 0) { // no byte is on disk before the header
      CopyFiles.write(channel(), 0, Arrays.copyOf(bytes, Math.min(bytes.length, HEADER_BYTES)));
      channel().force(true);
    }
    CopyFiles.write(channel(), offset, bytes);
    lengths.put(file, offset + bytes.length);
  }

  /** Makes everything appended durable. */
  public void sync() throws IOException {
    if (growing != null) {
      growing.force(true);
    }
    durable = end();
    if (System.nanoTime() - notedNanos > NOTE_NANOS) {
      note();
    }
  }

  /** Ends a copy from the beginning: it has everything that its owner had. */
  public void complete() throws IOException {
    sync();
    note();
    OldCopy.clear(path);
  }

  /**
   * Appends bytes of a file of a checkpoint that counts for the owner, and not yet here.
   *
   * @param first number of its first file; another one than before begins anew
   */
  public void appendCheckpoint(int first, int file, int offset, byte[] bytes) throws IOException {
    if (!checkpoint.isEmpty() && checkpoint.firstKey() != first) {
      directory.delete(List.copyOf(checkpoint.keySet()));
      checkpoint.clear();
    }
    try (FileChannel channel =
        FileChannel.open(
            directory.segment(file), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      if (offset == 0) {
        channel.truncate(0);
      }
      CopyFiles.write(channel, offset, bytes);
    }
    checkpoint.put(file, offset + bytes.length);
  }

  /**
   * Has the appended checkpoint count, and deletes the log before it.
   *
   * @param next number of the log's file that follows it
   */
  public void endCheckpoint(int next) throws IOException {
    for (int file : checkpoint.keySet()) {
      DurableFiles.syncFile(directory.segment(file));
    }
    sync();
    directory.sync();
    int first = checkpoint.firstKey();
    directory.setStart(first);
    start = first;
    directory.delete(List.copyOf(directory.segments().headMap(first).keySet()));
    lengths.headMap(next).clear();
    lengths.putAll(checkpoint);
    checkpoint.clear();
  }

  private void note() throws IOException {
    notedNanos = System.nanoTime();
    CopiedTo.note(path, durable);
  }

  /** The file that grows; its name is durable. */
  private FileChannel channel() throws IOException {
    FileChannel open = growing;
    if (open == null) {
      open =
          FileChannel.open(
              directory.segment(lengths.lastKey()),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE);
      growing = open;
      directory.sync();
    }
    return open;
  }

  /** Notes how far it has come, and releases the directory. */
  @Override
  public void close() throws IOException {
    try (lock) {
      sync();
      note();
    } finally {
      CopyFiles.close(growing);
    }
  }
}
