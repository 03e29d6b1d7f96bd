package io.counterpart.cassandra.consistency.sampling;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Hints that this node keeps for others, by their files: Cassandra's own lists leave out the file
 * that it is sending. Stateless.
 */
public final class HintFiles {
  /** Cassandra's: what it cannot read is renamed to end in {@code .corrupt.hints}, for people. */
  private static final Pattern NAME =
      Pattern.compile(
          "(?<host>\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12})-\\d+-\\d+\\.hints");

  private HintFiles() {}

  /** The hosts that there are some for; empty where nobody can tell. */
  public static Optional<Set<UUID>> hosts(Path directory) {
    Set<UUID> hosts = new HashSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
        if (name.matches()) {
          hosts.add(UUID.fromString(name.group("host")));
        }
      }
      return Optional.of(hosts);
    } catch (IOException | DirectoryIteratorException e) {
      return Optional.empty();
    }
  }
}
