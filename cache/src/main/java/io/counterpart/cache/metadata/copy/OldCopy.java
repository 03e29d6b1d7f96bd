package io.counterpart.cache.metadata.copy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.cache.metadata.disk.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Marks a directory of metadata as superseded by a newer copy. Epochs alone cannot identify an old
 * copy for long, because each start takes a higher one. Thread-safe: no state.
 */
public final class OldCopy {
  private static final String NAME = "superseded";

  private OldCopy() {}

  /**
   * Makes every later start refuse this directory; durable on return.
   *
   * @param why for the reader of the file
   */
  public static void note(Path directory, String why) throws IOException {
    DurableFiles.overwrite(directory.resolve(NAME), (why + "\n").getBytes(UTF_8));
  }

  /** Ends a mark: the directory has the newest metadata. */
  public static void clear(Path directory) throws IOException {
    if (Files.deleteIfExists(directory.resolve(NAME))) {
      DurableFiles.syncDirectory(directory);
    }
  }

  /** Whether a directory is marked. */
  public static boolean isNoted(Path directory) {
    return Files.exists(directory.resolve(NAME));
  }

  /**
   * Fails if a directory was marked; the directory may be missing.
   *
   * @throws IOException if it was marked, with what to do
   */
  public static void refuse(Path directory) throws IOException {
    Path file = directory.resolve(NAME);
    if (Files.exists(file)) {
      throw new IOException(
          "the metadata in %s are an old copy: %s. Go on with the newest metadata; only if no proxy has served with any other copy, delete %s"
              .formatted(directory, Files.readString(file).strip(), file));
    }
  }
}
