package io.counterpart.engine.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.counterpart.engine.DurableFiles;
import io.counterpart.engine.StoreException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The file in a store's directory with the highest write number that the server has answered for:
 * so the next process, too, notices a server without its last writes.
 *
 * <p>A number is in the file before its write returns, but not synced. So the file outlives the
 * process; after a loss of power its number may be lower, which tells less and is never wrong.
 * Thread-safe.
 */
final class NumberFile implements AutoCloseable {
  static final String NAME = "write-number";

  private final Path path;

  /** No channel: an interrupted thread would close that. */
  private final RandomAccessFile file;

  private NumberFile(Path path, RandomAccessFile file) {
    this.path = path;
    this.file = file;
  }

  /**
   * The number in a directory; 0 if there is none.
   *
   * @throws StoreException if the file cannot be read, or holds no number
   */
  static long read(Path directory) {
    Path path = directory.resolve(NAME);
    if (!Files.exists(path)) {
      return 0;
    }
    try {
      return Long.parseLong(Files.readString(path, US_ASCII).strip());
    } catch (IOException | NumberFormatException e) {
      throw new StoreException("cannot read a number in " + path, e);
    }
  }

  /**
   * Opens a directory's file, and sets it. One that is there needs no room on the disk.
   *
   * @throws StoreException if it cannot be written
   */
  static NumberFile open(Path directory, long number) {
    Path path = directory.resolve(NAME);
    try {
      if (!Files.exists(path)) {
        DurableFiles.write(path, text(number));
      }
      NumberFile opened = new NumberFile(path, new RandomAccessFile(path.toFile(), "rw"));
      opened.set(number);
      return opened;
    } catch (IOException e) {
      throw new StoreException("cannot write " + path, e);
    }
  }

  /** For a server that may forget. */
  static void delete(Path directory) {
    Path path = directory.resolve(NAME);
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new StoreException("cannot delete " + path, e);
    }
  }

  /** Always as long, so that it is written over in place. */
  private static String text(long number) {
    return String.format(Locale.ROOT, "%019d\n", number);
  }

  synchronized void set(long number) {
    try {
      file.seek(0);
      file.write(text(number).getBytes(US_ASCII));
    } catch (IOException e) {
      throw new StoreException("cannot write " + path, e);
    }
  }

  @Override
  public synchronized void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new StoreException("cannot close " + path, e);
    }
  }
}
