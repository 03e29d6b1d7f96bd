package io.counterpart.memcached.tier;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The content of {@code cache.json}: enough to find, stop and restart a tier from any process.
 *
 * @param options the options of the tier's start, in its starter's terms
 */
record TierState(Map<String, String> options, List<TierServer> servers, List<TierProxy> proxies) {

  private static final ObjectMapper JSON = new ObjectMapper();

  TierState {
    options = new LinkedHashMap<>(options);
    servers = List.copyOf(servers);
    proxies = List.copyOf(proxies);
  }

  static Path file(Path home) {
    return home.resolve("cache.json");
  }

  /** Replaces the file atomically, so that a reader never sees half of it. */
  void write(Path home) {
    try {
      Files.createDirectories(home);
      Path next = home.resolve("cache.json.next");
      JSON.writerWithDefaultPrettyPrinter().writeValue(next.toFile(), this);
      Files.move(
          next, file(home), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot record the tier under " + home + ": " + e, e);
    }
  }

  static Optional<TierState> read(Path home) {
    Path file = file(home);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(JSON.readValue(file.toFile(), TierState.class));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot read the tier's state in " + file + ": " + e.getMessage(), e);
    }
  }

  static void delete(Path home) {
    try {
      Files.deleteIfExists(file(home));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + file(home), e);
    }
  }

  /** Deletes a directory with its content; does nothing if it is missing. */
  static void deleteTree(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + directory + ": " + e, e);
    }
  }
}
