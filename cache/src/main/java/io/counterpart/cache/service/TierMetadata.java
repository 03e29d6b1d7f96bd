package io.counterpart.cache.service;

import io.counterpart.cache.metadata.disk.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The scheme of a metadata directory: the file {@code scheme} names it, with the format of its
 * objects' records. A directory with another format is refused as one with another scheme, because
 * its records would be taken for lost.
 */
public final class TierMetadata {
  private static final String FILE = "scheme";
  private static final String RECORDS = " records 2";

  private TierMetadata() {}

  /**
   * Checks that a proxy with these options may use a directory.
   *
   * @param directory that may be missing or empty
   * @throws IllegalArgumentException if the metadata there are of another scheme or code
   * @throws IOException if that cannot be read
   */
  public static void check(Path directory, SchemeOptions options) throws IOException {
    Path file = directory.resolve(FILE);
    String found = Files.exists(file) ? scheme(file) : options.toString();
    if (!found.equals(options.toString())) {
      String advice =
          isKnown(found)
              ? "go on with that one, or delete"
              : "this version has no such scheme; delete";
      throw new IllegalArgumentException(
          "%s has the metadata of a tier with scheme %s, not %s: %s the directory, by which its"
                  .formatted(directory, found, options, advice)
              + " objects are forgotten");
    }
  }

  private static boolean isKnown(String found) {
    return Arrays.stream(Scheme.values())
        .anyMatch(scheme -> found.split(" ", 2)[0].equals(scheme.toString()));
  }

  private static String scheme(Path file) throws IOException {
    String text = Files.readString(file).strip();
    return text.endsWith(RECORDS)
        ? text.substring(0, text.length() - RECORDS.length())
        : text + " of another version";
  }

  /**
   * Claims a directory for a scheme.
   *
   * @throws IllegalArgumentException as {@link #check} does
   */
  static void claim(Path directory, SchemeOptions options) throws IOException {
    check(directory, options);
    DurableFiles.makeDirectories(directory);
    Path file = directory.resolve(FILE);
    if (!Files.exists(file)) {
      DurableFiles.write(file, options + RECORDS + "\n"); // several may begin
    }
  }
}
