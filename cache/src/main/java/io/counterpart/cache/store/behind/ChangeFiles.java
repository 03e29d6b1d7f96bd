package io.counterpart.cache.store.behind;

import io.counterpart.cache.metadata.disk.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of a {@link ChangeLog}, and what an earlier process has left in them. */
final class ChangeFiles {
  private static final Logger logger = LoggerFactory.getLogger(ChangeFiles.class);
  private static final Pattern NAME = Pattern.compile("behind-(\\d{1,9})\\.log");

  private ChangeFiles() {}

  /**
   * Reads all changes of a directory, in their order. Afterwards they are durable, and no file has
   * an incomplete end.
   *
   * @param fileBytes size at which the next file is begun
   * @return the files' numbers, ascending
   * @throws IOException if a file is damaged
   */
  static List<Integer> read(Path directory, int fileBytes, ChangeLog.Found found)
      throws IOException {
    Files.deleteIfExists(unfinished(directory));
    List<Integer> numbers = numbers(directory);
    int written = lastWritten(directory, numbers, fileBytes);
    for (int number : numbers.subList(firstNeeded(directory, numbers), numbers.size())) {
      read(file(directory, number), number == written, found);
    }
    if (written > 0) {
      DurableFiles.syncFile(file(directory, written)); // before there is a next one
    }
    return numbers;
  }

  /** Position of the last file that replaces all before it; those may be damaged. */
  private static int firstNeeded(Path directory, List<Integer> numbers) throws IOException {
    for (int i = numbers.size() - 1; i > 0; i--) {
      if (ChangeFormat.isReplacement(file(directory, numbers.get(i)))) {
        return i;
      }
    }
    return 0;
  }

  /**
   * Begins a file that replaces all before it, as soon as it has a number. It is durable then.
   *
   * @param pending its changes
   */
  static FileChannel replacement(Path directory, int number, Iterable<Change> pending)
      throws IOException {
    Path unfinished = unfinished(directory);
    FileChannel channel =
        FileChannel.open(
            unfinished,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
    try {
      writeFully(channel, ChangeFormat.allWritten(0));
      for (Change change : pending) {
        writeFully(channel, ChangeFormat.encode(change));
      }
      channel.force(true);
      Files.move(unfinished, file(directory, number), StandardCopyOption.ATOMIC_MOVE);
      DurableFiles.syncDirectory(directory);
      return channel;
    } catch (IOException | RuntimeException e) {
      try (channel) {
        Files.deleteIfExists(unfinished); // it may have what was left of the disk
      } catch (IOException failedToo) {
        e.addSuppressed(failedToo);
      }
      throw e;
    }
  }

  private static void writeFully(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private static Path unfinished(Path directory) {
    return directory.resolve("behind.new");
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

  static Path file(Path directory, int number) {
    return directory.resolve("behind-" + number + ".log");
  }

  /** Begins a file. */
  static FileChannel append(Path directory, int number) throws IOException {
    return FileChannel.open(
        file(directory, number), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private static void read(Path file, boolean isLast, ChangeLog.Found found) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    for (int next = ChangeFormat.length(bytes, at);
        next > 0;
        next = ChangeFormat.length(bytes, at)) {
      if (!ChangeFormat.isMark(bytes, at)) {
        found.change(ChangeFormat.decode(bytes, at));
      } else if (ChangeFormat.isAllWritten(bytes, at)) {
        found.allWritten();
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
}
