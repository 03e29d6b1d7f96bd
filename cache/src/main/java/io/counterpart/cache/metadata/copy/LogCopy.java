package io.counterpart.cache.metadata.copy;

import io.counterpart.cache.metadata.CopiedTo;
import io.counterpart.cache.metadata.LogDirectory;
import io.counterpart.cache.metadata.LogPosition;
import io.counterpart.cache.metadata.disk.DirectoryLock;
import io.counterpart.cache.metadata.disk.DurableFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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

  private final Path path;
  private final LogDirectory directory;
  private final DirectoryLock lock;
  private final GrowingFile.Opener opener;

  /** Lengths of the log's files by number, from the first that counts on. */
  private final TreeMap<Integer, Integer> lengths = new TreeMap<>();

  private final CopiedCheckpoint checkpoint;

  private int start;
  private long durable;
  private long notedNanos = System.nanoTime();

  /** The file that grows, if it is open. */
  private @Nullable GrowingFile growing;

  /** Whether the log here is the owner's, and no write or sync has failed. */
  private boolean isSound;

  private LogCopy(Path path, DirectoryLock lock, GrowingFile.Opener opener) throws IOException {
    this.path = path;
    this.lock = lock;
    this.opener = opener;
    this.directory = new LogDirectory(path);
    this.checkpoint = new CopiedCheckpoint(directory);
    this.start = directory.start();
    lengths.putAll(CopyFiles.lengths(directory, start, Long.MAX_VALUE));
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
    return open(path, GrowingFile.Opener::real);
  }

  static LogCopy open(Path path, GrowingFile.Opener opener) throws IOException {
    DurableFiles.makeDirectories(path);
    DirectoryLock lock = DirectoryLock.take(path);
    try {
      return new LogCopy(path, lock, opener);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
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
    lengths.clear();
    lengths.putAll(CopyFiles.lengths(directory, start, CopiedTo.position(path).orElseThrow()));
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

  /**
   * Goes on with the files here, which are the owner's, and drops whatever else there is. What was
   * not noted as on disk is written once more: an earlier sync may have failed.
   */
  public void goOn() throws IOException {
    NavigableMap<Integer, Path> files = directory.segments();
    files.keySet().removeAll(lengths.keySet());
    directory.delete(List.copyOf(files.keySet()));
    CopyFiles.rewrite(directory, lengths, CopiedTo.position(path).orElse(0), opener);
    if (!lengths.isEmpty()) {
      grow();
    }
    isSound = true;
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
    endGrowing();
    directory.delete(List.copyOf(directory.segments().keySet()));
    directory.setStart(ownersStart);
    lengths.clear();
    checkpoint.clear();
    start = ownersStart;
    durable = end();
    isSound = true;
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
    boolean wasSound = isSound;
    isSound = false;
    if (!lengths.containsKey(file)) {
      force(); // the file before must be whole on disk when this one exists
      endGrowing();
      lengths.put(file, 0);
    }
    grow().append(offset, bytes);
    lengths.put(file, offset + bytes.length);
    isSound = wasSound;
  }

  /** Makes everything appended durable. */
  public void sync() throws IOException {
    boolean wasSound = isSound;
    isSound = false;
    force();
    isSound = wasSound;
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
    checkpoint.append(first, file, offset, bytes);
  }

  /**
   * Has the appended checkpoint count, and deletes the log before it.
   *
   * @param next number of the log's file that follows it
   */
  public void endCheckpoint(int next) throws IOException {
    checkpoint.sync();
    sync();
    directory.sync();
    int first = checkpoint.first();
    directory.setStart(first);
    start = first;
    directory.delete(List.copyOf(directory.segments().headMap(first).keySet()));
    lengths.headMap(next).clear();
    lengths.putAll(checkpoint.lengths());
    checkpoint.clear();
  }

  /** Called when everything is durable. */
  private void note() throws IOException {
    notedNanos = System.nanoTime();
    CopiedTo.note(path, whole());
  }

  /** Position behind the last whole record: a piece may end within one. */
  private long whole() {
    int whole = growing == null ? 0 : growing.whole();
    if (whole > 0) {
      return LogPosition.of(lengths.lastKey(), whole);
    }
    Map.Entry<Integer, Integer> before =
        lengths.isEmpty() ? null : lengths.lowerEntry(lengths.lastKey());
    return before == null
        ? LogPosition.of(start, 0)
        : LogPosition.of(before.getKey(), before.getValue());
  }

  private GrowingFile grow() throws IOException {
    GrowingFile open = growing;
    if (open == null) {
      Map.Entry<Integer, Integer> last = lengths.lastEntry();
      open = GrowingFile.open(directory, last.getKey(), last.getValue(), opener);
      growing = open;
    }
    return open;
  }

  private void endGrowing() throws IOException {
    GrowingFile ended = growing;
    growing = null;
    if (ended != null) {
      ended.close();
    }
  }

  private void force() throws IOException {
    if (growing != null) {
      growing.force();
    }
  }

  /**
   * Notes how far it has come, and releases the directory. After a failure it only does the latter:
   * the kernel reports a failed sync once.
   */
  @Override
  public void close() throws IOException {
    try (lock) {
      if (isSound) {
        sync();
        note();
      }
    } finally {
      endGrowing();
    }
  }
}
