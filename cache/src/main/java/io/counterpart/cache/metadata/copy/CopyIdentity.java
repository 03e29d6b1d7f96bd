package io.counterpart.cache.metadata.copy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.cache.metadata.CopiedTo;
import io.counterpart.cache.metadata.disk.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/**
 * The id of a copy of the metadata: a random number in the file {@code copy} beside the log. It is
 * lost with the directory, so an empty directory is another copy. No state.
 */
public final class CopyIdentity {
  private static final String FILE = "copy";
  private static final String SERVED = "served";
  private static final String UNSERVED = "unserved";
  private static final int HEX = 16;

  private CopyIdentity() {}

  /**
   * The id of the copy in an existing directory, made if it has none; durable on return.
   *
   * @throws IOException if it cannot be read, or is malformed
   */
  public static long of(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    if (!Files.exists(file)) {
      renew(directory);
    }
    String text = Files.readString(file).strip();
    try {
      return Long.parseUnsignedLong(text, HEX);
    } catch (NumberFormatException e) {
      throw new IOException(
          "%s has '%s', not 16 hexadecimal digits: delete it, by which the copy no longer counts"
              .formatted(file, text),
          e);
    }
  }

  /** Gives the copy another id, which does not count; durable on return. */
  static void renew(Path directory) throws IOException {
    String id = "%016x%n".formatted(new SecureRandom().nextLong());
    DurableFiles.overwrite(directory.resolve(FILE), id.getBytes(UTF_8));
  }

  /** Notes that the tier was served from here while no other copy counted; durable on return. */
  public static void noteServed(Path directory) throws IOException {
    note(directory, SERVED);
    Files.deleteIfExists(directory.resolve(UNSERVED));
  }

  /** Notes that a new tier is about to be made here; durable on return. */
  public static void noteUnserved(Path directory) throws IOException {
    DurableFiles.makeDirectories(directory);
    note(directory, UNSERVED);
  }

  private static void note(Path directory, String name) throws IOException {
    Path file = directory.resolve(name);
    if (!Files.exists(file)) {
      DurableFiles.overwrite(file, new byte[0]);
    }
  }

  /** Whether the metadata are of a new tier that nothing was served from. */
  public static boolean isUnserved(Path directory) throws IOException {
    return Files.exists(directory.resolve(UNSERVED)) && isOriginal(directory);
  }

  /**
   * Whether no other copy of these metadata can have been served from: they have followed nobody,
   * and nobody can have followed them.
   */
  public static boolean isOriginal(Path directory) throws IOException {
    return !Files.exists(directory.resolve(SERVED)) && CopiedTo.position(directory).isEmpty();
  }
}
