package io.counterpart.cache.store.behind;

import io.counterpart.cache.metadata.disk.DirectoryLock;
import io.counterpart.cache.metadata.disk.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log of changes not yet written to the store: files {@code behind-N.log} in one directory.
 * Appended changes survive a crash of the process, and a loss of power once they are {@link
 * #unsynced synced}. A file is durable before the next one is begun. A file is deleted once no
 * change in it or in an earlier file is needed and everything in later ones is durable. So the last
 * change found of a key is its newest, also after a loss of power. Closing deletes an empty file.
 *
 * <p>Marks in a file tell how far it was durable: what cannot be read before that is damage, and
 * what cannot be read at its end was not written whole. Others tell that the store has all that is
 * before them. Not thread-safe.
 */
final class ChangeLog implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(ChangeLog.class);

  private final Path directory;
  private final int fileBytes;
  private final DirectoryLock lock;

  /** Number of needed changes in each file. */
  private final TreeMap<Integer, Integer> needed = new TreeMap<>();

  private FileChannel channel;
  private long length;

  /** End of the last change in the present file. */
  private long changesEnd;

  /** End of the part of the present file that is on disk. */
  private long durable;

  private boolean failed;

  /** Takes what an earlier process has left. */
  @FunctionalInterface
  interface Found {
    /** The next change, in the order of the log. */
    void change(Change change);

    /** The store has all changes so far. */
    default void allWritten() {}
  }

  private ChangeLog(Path directory, int fileBytes, DirectoryLock lock, FileChannel channel) {
    this.directory = directory;
    this.fileBytes = fileBytes;
    this.lock = lock;
    this.channel = channel;
  }

  /**
   * Opens a directory, and creates it if it is missing.
   *
   * @param fileBytes size at which the next file is begun
   * @param found gets all changes that are there, in their order; they stay until {@link
   *     #releaseFound}
   * @throws IOException if another process has it, or a file is damaged
   */
  static ChangeLog open(Path directory, int fileBytes, Found found) throws IOException {
    DurableFiles.makeDirectories(directory);
    DirectoryLock lock = DirectoryLock.take(directory);
    try {
      List<Integer> numbers = ChangeFiles.read(directory, fileBytes, found);
      int next = numbers.isEmpty() ? 1 : numbers.get(numbers.size() - 1) + 1;
      ChangeLog log =
          new ChangeLog(directory, fileBytes, lock, ChangeFiles.append(directory, next));
      numbers.forEach(number -> log.needed.put(number, 1));
      log.needed.put(next, 0);
      DurableFiles.syncDirectory(directory);
      return log;
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** Releases the changes that opening found, because they are in the store. */
  void releaseFound() throws IOException {
    int own = needed.lastKey();
    needed.headMap(own).replaceAll((number, changes) -> 0);
    dropUnneeded();
    DurableFiles.syncDirectory(directory); // a loss of power must not bring them back
  }

  /**
   * Appends a change; the kernel has it on return.
   *
   * @return its file, to be released
   * @throws IOException if it cannot be written: then it is not there
   */
  int append(Change change) throws IOException {
    if (failed) {
      throw new IOException("the log in " + directory + " has failed before");
    }
    if (length >= fileBytes) {
      begin(needed.lastKey() + 1);
    }
    write(ChangeFormat.encode(change));
    changesEnd = length;
    int number = needed.lastKey();
    needed.merge(number, 1, Integer::sum);
    return number;
  }

  private void write(ByteBuffer bytes) throws IOException {
    int size = bytes.remaining();
    try {
      long at = length;
      while (bytes.hasRemaining()) {
        at += channel.write(bytes, at);
      }
    } catch (IOException e) {
      takeBack();
      throw e;
    }
    length += size;
  }

  /** Cuts off an incomplete change, which must not stand before the next one. */
  private void takeBack() {
    try {
      channel.truncate(length);
    } catch (IOException e) {
      fail(e);
    }
  }

  /**
   * Refuses changes after a failed sync, until the log is {@link #renew renewed}: the kernel tells
   * of the failure once, and a later sync of that file proves nothing.
   */
  void fail(IOException why) {
    failed = true;
    logger.error(
        "the log in {} has failed; changes are refused until it is renewed", directory, why);
  }

  /** Whether changes are refused until the log is renewed. */
  boolean hasFailed() {
    return failed;
  }

  /**
   * Goes on in a file of its own after a failure. That file replaces those before it, of which
   * nobody knows what is on disk.
   *
   * @param pending the last change of each key that the store may lack
   * @return the file that has these changes; they are durable
   * @throws IOException if the disk still fails; then nothing has changed
   */
  int renew(Collection<Change> pending) throws IOException {
    int number = needed.lastKey() + 1;
    FileChannel next = ChangeFiles.replacement(directory, number, pending);
    FileChannel before = channel;
    channel = next;
    length = next.position();
    changesEnd = length;
    durable = length;
    failed = false;
    needed.replaceAll((file, changes) -> 0);
    needed.put(number, pending.size());
    try {
      before.close();
      dropUnneeded();
    } catch (IOException e) { // it is renewed all the same
      logger.warn("files before {} of the log in {} stay for now", number, directory, e);
    }
    return number;
  }

  /** Makes the present file durable. */
  private void force() throws IOException {
    try {
      channel.force(false);
    } catch (IOException e) {
      fail(e);
      throw e;
    }
  }

  /** What makes all that was appended so far durable. */
  Syncing unsynced() {
    return new Syncing(channel, needed.lastKey(), length);
  }

  /** Makes a part of the log durable: what was appended before it was made. */
  final class Syncing {
    private final FileChannel appendedTo;
    private final int file;
    private final long end;

    private Syncing(FileChannel appendedTo, int file, long end) {
      this.appendedTo = appendedTo;
      this.file = file;
      this.end = end;
    }

    /** Returns when it is durable; may be used on another thread. */
    void sync() throws IOException {
      try {
        appendedTo.force(false);
      } catch (ClosedChannelException closed) {
        return; // which has made it durable
      }
    }

    /** Notes that it is, on the log's thread, and deletes the files that nobody needs then. */
    void synced() throws IOException {
      if (channel.isOpen() && !failed && file == needed.lastKey() && end > durable) {
        durable = end;
        dropUnneeded();
        write(ChangeFormat.mark(end, length));
      }
    }
  }

  /** Makes everything durable, and deletes the files that nobody needs then. */
  void sync() throws IOException {
    force();
    durable = length;
    dropUnneeded();
  }

  /** The oldest file, if there are more than so many. */
  OptionalInt oldestBeyond(int files) {
    return needed.size() > files ? OptionalInt.of(needed.firstKey()) : OptionalInt.empty();
  }

  private void begin(int number) throws IOException {
    force();
    FileChannel next = ChangeFiles.append(directory, number);
    try {
      DurableFiles.syncDirectory(directory);
      channel.close();
    } catch (IOException e) {
      next.close();
      throw e;
    }
    channel = next;
    length = 0;
    changesEnd = 0;
    durable = 0;
    needed.put(number, 0);
    dropUnneeded();
  }

  /** Releases a change of this file: it is in the store, or there is a later one of its key. */
  void release(int number) throws IOException {
    needed.merge(number, -1, Integer::sum);
    dropUnneeded();
  }

  /**
   * Notes that the store has all that was appended so far. The present file keeps these changes:
   * the next process would write them once more, and bring back what was truncated since.
   */
  void noteAllWritten() throws IOException {
    if (channel.isOpen() && !failed) {
      write(ChangeFormat.allWritten(length));
    }
  }

  private void dropUnneeded() throws IOException {
    if (!channel.isOpen() || failed || durable < changesEnd) {
      return; // what replaces a change in an earlier file may not be on disk
    }
    while (needed.size() > 1 && needed.firstEntry().getValue() == 0) {
      Files.deleteIfExists(ChangeFiles.file(directory, needed.firstKey()));
      needed.pollFirstEntry();
    }
  }

  /** Closes the log; the next one finds the changes that were not released. */
  @Override
  public void close() throws IOException {
    try (lock) {
      sync();
      channel.close();
      if (length == 0 || needed.size() == 1 && needed.firstEntry().getValue() == 0) {
        Files.deleteIfExists(ChangeFiles.file(directory, needed.lastKey()));
      }
    }
  }
}
