package io.counterpart.cache.service;

import io.counterpart.cache.metadata.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Identifies the scheme of a metadata directory, by the file {@code scheme} in it. */
public final class TierMetadata {
  private static final String FILE = "scheme";

  private TierMetadata() {}

  /**
   * Looks whether a proxy with these options may use what a directory has.
   *
   * @param directory that may be missing or empty
   * @throws IllegalArgumentException if the metadata there are of another scheme or code
   * @throws IOException if that cannot be read
   */
  public static void check(Path directory, SchemeOptions options) throws IOException {
    Path file = directory.resolve(FILE);
    String found = Files.exists(file) ? Files.readString(file).strip() : options.toString();
    if (!found.equals(options.toString())) {
      throw new IllegalArgumentException(
          "%s has the metadata of a tier with scheme %s, not %s: go on with that one, or delete the"
                  .formatted(directory, found, options)
              + " directory, by which its objects are forgotten");
    }
  }

  /**
   * Takes a directory for a scheme.
   *
   * @throws IllegalArgumentException as {@link #check} does
   */
  static void claim(Path directory, SchemeOptions options) throws IOException {
    check(directory, options);
    DurableFiles.makeDirectories(directory);
    Path file = directory.resolve(FILE);
    if (Files.exists(file)) {
      return;
    }
    // of each process another one, since several may begin at once
    Path next = directory.resolve(FILE + "." + UUID.randomUUID() + ".next");
    Files.writeString(next, options + "\n");
    DurableFiles.replace(next, file);
  }
}
