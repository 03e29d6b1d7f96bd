package io.counterpart.cache.coded.server;

import io.counterpart.cache.ring.ServerId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The numbers of items that servers have dropped, in a file beside the metadata log, a server and
 * its number a line. From it the next process learns what was dropped while nobody looked. Belongs
 * to the shard's event loop, but for {@link #forget}.
 */
final class DropCounts {
  private static final Logger logger = LoggerFactory.getLogger(DropCounts.class);
  private static final String FILE = "drops";

  private final Path file;
  private final Map<ServerId, Long> counts = new TreeMap<>();

  private DropCounts(Path file) {
    this.file = file;
  }

  /** The numbers of an earlier process; none if there is no file. */
  static DropCounts read(Path directory) throws IOException {
    DropCounts read = new DropCounts(directory.resolve(FILE));
    if (Files.exists(read.file)) {
      Files.readAllLines(read.file, StandardCharsets.ISO_8859_1).forEach(read::take);
    }
    return read;
  }

  /** Forgets the numbers in a directory that no process has open. */
  static void forget(Path directory) throws IOException {
    Files.deleteIfExists(directory.resolve(FILE));
  }

  private void take(String line) {
    String[] words = line.split(" ");
    try {
      counts.put(new ServerId(words[0]), Long.parseLong(words[words.length - 1]));
    } catch (IllegalArgumentException e) {
      logger.warn("{} has '{}', not a server and a number: left out", file, line);
    }
  }

  @Nullable Long of(ServerId server) {
    return counts.get(server);
  }

  /** Forgets all other servers: one that comes again may have dropped anybody's items meanwhile. */
  void retain(Set<ServerId> servers) {
    counts.keySet().retainAll(servers);
  }

  void put(ServerId server, long count) {
    if (Long.valueOf(count).equals(counts.put(server, count))) {
      return;
    }
    List<String> lines =
        counts.entrySet().stream().map(of -> of.getKey().name() + " " + of.getValue()).toList();
    Path next = file.resolveSibling(FILE + ".next");
    try {
      Files.write(next, lines, StandardCharsets.ISO_8859_1);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      // the next process then restores more than it needs to
      logger.warn("the numbers of dropped items cannot be noted", e);
    }
  }
}
