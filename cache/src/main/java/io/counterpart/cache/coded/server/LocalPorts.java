package io.counterpart.cache.coded.server;

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
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The local ports of a shard's connections, and the servers under takeover, in a file. From it the
 * process after a crash knows which of a server's connections belong to its predecessor. The first
 * line names the machine's boot. Each further line is a server and a port, with "silent" behind it
 * if the port is of an earlier boot or another machine, or its connection was reset, or a server
 * and "takeover". Belongs to the shard's event loop.
 */
public final class LocalPorts {
  private static final Logger logger = LoggerFactory.getLogger(LocalPorts.class);
  private static final String FILE = "connections";
  private static final String BOOT = "boot";
  private static final String SILENT = "silent";
  private static final String TAKEOVER = "takeover";

  private final Path file;
  private final String boot;

  /** Ports of this boot, including those of connections that a process left when it ended. */
  private final Map<ServerId, Set<Integer>> ports = new TreeMap<>();

  private final Map<ServerId, Set<Integer>> silent = new TreeMap<>();
  private final Set<ServerId> takeovers = new TreeSet<>();

  private LocalPorts(Path file, String boot) {
    this.file = file;
    this.boot = boot;
  }

  /**
   * Reads the file of a directory; a missing one is empty.
   *
   * @param boot names the machine's boot; empty if it has no name
   * @throws IOException if it cannot be read
   */
  public static LocalPorts read(Path directory, String boot) throws IOException {
    LocalPorts read = new LocalPorts(directory.resolve(FILE), boot);
    if (Files.exists(read.file)) {
      // without the line, or a name, it may be of this boot
      boolean isEarlier = false;
      for (String line : Files.readAllLines(read.file, StandardCharsets.ISO_8859_1)) {
        String[] words = line.split(" ");
        if (words[0].equals(BOOT)) {
          isEarlier = words.length == 2 && !boot.isEmpty() && !words[1].equals(boot);
        } else {
          read.take(line, words, isEarlier);
        }
      }
    }
    return read;
  }

  private void take(String line, String[] words, boolean isEarlier) {
    try {
      ServerId server = new ServerId(words[0]);
      if (words.length == 2 && words[1].equals(TAKEOVER)) {
        takeovers.add(server);
      } else if (words.length == 2) {
        of(isEarlier ? silent : ports, server).add(Integer.parseInt(words[1]));
      } else if (words.length == 3 && words[2].equals(SILENT)) {
        of(silent, server).add(Integer.parseInt(words[1]));
      } else {
        throw new IllegalArgumentException(line);
      }
    } catch (IllegalArgumentException e) {
      // it is not synced: a loss of power may leave it incomplete
      logger.warn("{} has '{}', not a server and a port: left out", file, line);
    }
  }

  private static Set<Integer> of(Map<ServerId, Set<Integer>> map, ServerId server) {
    return map.computeIfAbsent(server, id -> new HashSet<>());
  }

  /** Ports of a server on which this machine's kernel may still send. */
  Set<Integer> of(ServerId server) {
    return of(ports, server);
  }

  /** Ports of a server on which nothing more is sent. */
  Set<Integer> silent(ServerId server) {
    return of(silent, server);
  }

  /** Servers that an earlier process has claimed but not used yet. */
  Set<ServerId> takeovers() {
    return Set.copyOf(takeovers);
  }

  /** Records a port before anything is sent on it. */
  void add(ServerId server, int port) throws IOException {
    of(server).add(port);
    write();
  }

  /**
   * Records that connections of this process are reset. Their reset may not have reached the
   * server, which lists them then, but nothing more is sent on them.
   */
  void silence(ServerId server, Set<Integer> reset) throws IOException {
    Set<Integer> known = new HashSet<>(of(server));
    known.retainAll(reset);
    if (of(server).removeAll(known)) {
      of(silent, server).addAll(known);
      write();
    }
  }

  /** Removes all ports of a server but one. */
  void keepOnly(ServerId server, int port) throws IOException {
    of(server).retainAll(Set.of(port));
    silent.remove(server);
    write();
  }

  /** Records that a takeover begins or ends. */
  void noteTakeover(ServerId server, boolean begins) throws IOException {
    boolean isNews = begins ? takeovers.add(server) : takeovers.remove(server);
    if (isNews) {
      write();
    }
  }

  /** All ports, those of earlier processes included, as lines of a server and a port. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Map<ServerId, Set<Integer>> each : List.of(ports, silent)) {
      each.forEach((server, used) -> used.forEach(port -> lines.add(server.name() + " " + port)));
    }
    return lines;
  }

  /**
   * Records the ports of the owner on another machine, in place of those before. Nothing more is
   * sent on them once its leases are over.
   *
   * @param owners {@link #lines} of the owner
   */
  public static void follow(Path directory, String boot, List<String> owners) throws IOException {
    LocalPorts kept = read(directory, boot);
    Map<ServerId, Set<Integer>> before = new TreeMap<>(kept.silent);
    kept.silent.clear();
    owners.forEach(line -> kept.take(line, line.split(" "), true));
    if (!kept.silent.equals(before)) {
      kept.write();
    }
  }

  private void write() throws IOException {
    List<String> lines = new ArrayList<>();
    if (!boot.isEmpty()) {
      lines.add(BOOT + " " + boot);
    }
    ports.forEach((server, used) -> used.forEach(port -> lines.add(server.name() + " " + port)));
    silent.forEach(
        (server, old) -> old.forEach(port -> lines.add(server.name() + " " + port + " " + SILENT)));
    takeovers.forEach(server -> lines.add(server.name() + " " + TAKEOVER));
    Path next = file.resolveSibling(FILE + ".next");
    Files.write(next, lines, StandardCharsets.US_ASCII);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
