package io.counterpart.cache.store.behind;

import io.counterpart.cache.metadata.disk.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log of changes not yet written to the store: files {@code behind-N.log} in one directory.
 * Appended changes survive a crash of the process, and a loss of power once they are {@link
 * #unsynced synced}. A file is durable before the next one is begun. A file is deleted once no
 * change in it or in an earlier file is needed and everything in later ones is durable. So the last
 * change found of a key is its newest, also after a loss of power.
 *
 * <p>Marks in a file tell how far it was durable: what cannot be read before that is damage, and
 * what cannot be read at its end was not written whole. Not thread-safe.
 */
final class ChangeLog implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(ChangeLog.class);
  private static final Pattern NAME = Pattern.compile("behind-(\\d{1,9})\\.log");

  private final Path directory;
  private final int fileBytes;
  private final FileChannel lock;

  /** Number of needed changes in each file. */
  private final TreeMap<Integer, Integer> needed = new TreeMap<>();

  private FileChannel channel;
  private long length;

  /** End of the last change in the present file. */
  private long changesEnd;

  /** End of the part of the present file that is on disk. */
  private long durable;

  private boolean failed;

  private ChangeLog(Path directory, int fileBytes, FileChannel lock, FileChannel channel) {
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
  static ChangeLog open(Path directory, int fileBytes, Consumer<Change> found) throws IOException {
    DurableFiles.makeDirectories(directory);
    FileChannel lock = lock(directory);
    try {
      List<Integer> numbers = numbers(directory);
      int last = numbers.isEmpty() ? 0 : numbers.get(numbers.size() - 1);
      int written = lastWritten(directory, numbers, fileBytes);
      for (int number : numbers) {
        read(file(directory, number), number == written, found);
      }
      if (written > 0) {
        DurableFiles.syncFile(file(directory, written)); // before there is a next one
      }
      ChangeLog log = new ChangeLog(directory, fileBytes, lock, append(directory, last + 1));
      numbers.forEach(number -> log.needed.put(number, 1));
      log.needed.put(last + 1, 0);
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
  }

  private static FileChannel lock(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException thisProcessHasIt) {
      // told below
    }
    channel.close();
    throw new IOException(
        "directory " + directory + " is in use by another proxy; each needs one of its own");
  }

  private static List<Integer> numbers(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> NAME.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .map(name -> Integer.parseInt(name.group(1)))
          .sorted()
          .toList();
    }
  }

  /**
   * The file that may end torn: the last one with anything in it. Failed starts leave empty ones.
   */
  private static int lastWritten(Path directory, List<Integer> numbers, int fileBytes)
      throws IOException {
    for (int i = numbers.size() - 1; i >= 0; i--) {
      long bytes = Files.size(file(directory, numbers.get(i)));
      if (bytes > 0) {
        // a full one was durable before the next was begun
        boolean isEnded = i < numbers.size() - 1 && bytes >= fileBytes;
        return isEnded ? numbers.get(numbers.size() - 1) : numbers.get(i);
      }
    }
    return 0;
  }

  private static Path file(Path directory, int number) {
    return directory.resolve("behind-" + number + ".log");
  }

  private static FileChannel append(Path directory, int number) throws IOException {
    return FileChannel.open(
        file(directory, number), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private static void read(Path file, boolean isLast, Consumer<Change> found) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    for (int next = ChangeFormat.length(bytes, at);
        next > 0;
        next = ChangeFormat.length(bytes, at)) {
      if (!ChangeFormat.isMark(bytes, at)) {
        found.accept(ChangeFormat.decode(bytes, at));
      }
      at += next;
    }
    if (at < bytes.limit() && (!isLast || isDurableBeyond(bytes, at))) {
      throw new IOException(
          "%s is damaged at byte %d: changes after it would be lost".formatted(file, at));
    }
    if (at < bytes.limit()) {
      logger.warn(
          "{}: its last {} bytes are an incomplete change, which was not acknowledged",
          file,
          bytes.limit() - at);
      cutOff(file, at);
    }
  }

  /** Whether a mark behind a place tells that more than what is before it was durable. */
  private static boolean isDurableBeyond(ByteBuffer bytes, int end) {
    for (int at = end + 1; at < bytes.limit(); at++) {
      if (ChangeFormat.durable(bytes, at) > end) {
        return true;
      }
    }
    return false;
  }

  /** Cuts off an incomplete change, which would be damage once there is a next file. */
  private static void cutOff(Path file, int end) throws IOException {
    try (FileChannel torn = FileChannel.open(file, StandardOpenOption.WRITE)) {
      torn.truncate(end);
      torn.force(true);
    }
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
   * Ends the log after a failed sync: the kernel tells of that once, and no later sync proves it.
   */
  void fail(IOException why) {
    failed = true;
    logger.error("the log in {} has failed; changes are refused from now on", directory, why);
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
    FileChannel next = append(directory, number);
    DurableFiles.syncDirectory(directory);
    channel.close();
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

  private void dropUnneeded() throws IOException {
    if (!channel.isOpen() || failed || durable < changesEnd) {
      return; // what replaces a change in an earlier file may not be on disk
    }
    while (needed.size() > 1 && needed.firstEntry().getValue() == 0) {
      Files.deleteIfExists(file(directory, needed.firstKey()));
      needed.pollFirstEntry();
    }
  }

  /** Closes the log; the next one finds the changes that were not released. */
  @Override
  public void close() throws IOException {
    try (lock) {
      sync();
      channel.close();
      if (needed.size() == 1 && needed.firstEntry().getValue() == 0) {
        Files.deleteIfExists(file(directory, needed.firstKey()));
      }
    }
  }
}
