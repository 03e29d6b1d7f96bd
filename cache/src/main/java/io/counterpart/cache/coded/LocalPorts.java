package io.counterpart.cache.coded;

import io.counterpart.cache.ring.ServerId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The local ports of a shard's connections, saved in a file: one line for each server and port.
 * After a crash the next process recognises the dead connections of its predecessor. Belongs to the
 * shard's event loop.
 */
final class LocalPorts {
  private static final Logger logger = LoggerFactory.getLogger(LocalPorts.class);
  private static final String FILE = "connections";

  private final Path file;
  private final Map<ServerId, Set<Integer>> ports = new TreeMap<>();

  private LocalPorts(Path file) {
    this.file = file;
  }

  /**
   * Reads the file of a directory; a missing one is empty.
   *
   * @throws IOException if it cannot be read
   */
  static LocalPorts read(Path directory) throws IOException {
    LocalPorts read = new LocalPorts(directory.resolve(FILE));
    if (Files.exists(read.file)) {
      for (String line : Files.readAllLines(read.file, StandardCharsets.ISO_8859_1)) {
        int space = line.indexOf(' ');
        try {
          read.of(new ServerId(line.substring(0, Math.max(space, 0))))
              .add(Integer.parseInt(line.substring(space + 1)));
        } catch (IllegalArgumentException e) {
          // it is not synced: after a loss of power nobody has those connections any more
          logger.warn("{} has '{}', not a server and a port: left out", read.file, line);
        }
      }
    }
    return read;
  }

  /** Ports of a server, those of connections that are gone included. */
  Set<Integer> of(ServerId server) {
    return ports.computeIfAbsent(server, id -> new HashSet<>());
  }

  /** Notes a port before anything goes through it. */
  void add(ServerId server, int port) throws IOException {
    of(server).add(port);
    write();
  }

  /** Forgets all ports of a server but one. */
  void keepOnly(ServerId server, int port) throws IOException {
    of(server).retainAll(Set.of(port));
    write();
  }

  private void write() throws IOException {
    List<String> lines = new ArrayList<>();
    ports.forEach((server, used) -> used.forEach(port -> lines.add(server.name() + " " + port)));
    Path next = file.resolveSibling(FILE + ".next");
    Files.write(next, lines, StandardCharsets.US_ASCII);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
