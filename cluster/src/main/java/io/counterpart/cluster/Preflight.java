package io.counterpart.cluster;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.NodeLayout;
import io.counterpart.cluster.server.NodeServers;
import io.counterpart.cluster.server.ServerKind;
import io.counterpart.process.Check;
import io.counterpart.process.MachineMemory;
import io.counterpart.process.PreflightException;
import io.counterpart.process.TcpPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks that the machine can hold a cluster, before anything is started or written. */
public final class Preflight {

  private static final long MIB = 1 << 20;

  /** What a node takes beside its heap: code, metaspace, threads, direct buffers, page tables. */
  private static final long NODE_OVERHEAD_BYTES = 450 * MIB;

  private static final long NODE_DISK_BYTES = 1024 * MIB;
  private static final long FILE_HANDLES = 10_000;

  private Preflight() {}

  /** Every check, passed or not. */
  public static List<Check> check(ClusterSpec spec) {
    return check(spec, NodeLayout.of(spec));
  }

  /**
   * Looks whether the machine can hold one more node of a cluster that may be running.
   *
   * @throws PreflightException if a check does not pass
   */
  public static void requireNode(Cluster cluster, Node node) {
    Check.require(check(cluster.spec(), List.of(node.layout())));
  }

  private static List<Check> check(ClusterSpec spec, List<NodeLayout> nodes) {
    List<Check> checks = new ArrayList<>();
    checks.add(jdk());
    checks.add(serverLib(spec.serverLib()));
    if (spec.pluginJar() != null) {
      checks.add(readable("plugin jar", spec.pluginJar()));
    }
    spec.extraJars().forEach(jar -> checks.add(readable("extra jar", jar)));
    for (ServerKind kind : ServerKind.ALL) {
      if (spec.hasEngine(kind.engine())) {
        Optional<String> missing = kind.missing();
        String found = missing.isEmpty() ? "found" : "not found";
        checks.add(
            new Check(
                "server of engine " + kind.engine(), missing.isEmpty(), found, missing.orElse("")));
      }
    }
    checks.add(memory(spec, nodes.size()));
    checks.add(disk(spec, nodes.size(), 0));
    checks.add(fileHandles());
    checks.add(ports(spec, nodes));
    return List.copyOf(checks);
  }

  /**
   * @throws PreflightException if a check does not pass
   */
  static void require(ClusterSpec spec) {
    Check.require(check(spec));
  }

  /**
   * Looks whether the disk holds a cluster together with data that is still to come.
   *
   * @param dataBytes of all nodes together, beside what each takes anyway, at least 0
   * @return what was found
   * @throws PreflightException with what is needed and what is free
   */
  public static Check requireDisk(ClusterSpec spec, long dataBytes) {
    Check disk = disk(spec, spec.nodes(), dataBytes);
    Check.require(List.of(disk));
    return disk;
  }

  private static Check jdk() {
    int feature = Runtime.version().feature();
    return new Check("JDK", feature == 17, Runtime.version().toString(), "17");
  }

  private static Check serverLib(Path directory) {
    String needed = "a directory with cassandra-all-5.0.*.jar (the build makes it: make build)";
    try (Stream<Path> jars = Files.list(directory)) {
      boolean present =
          jars.anyMatch(
              jar ->
                  jar.getFileName().toString().matches("(apache-)?cassandra(-all)?-5\\.0\\..*jar"));
      return new Check("server jars", present, directory + (present ? "" : " holds none"), needed);
    } catch (IOException absent) {
      return new Check("server jars", false, directory + " cannot be read", needed);
    }
  }

  private static Check readable(String what, Path jar) {
    boolean readable = Files.isReadable(jar) && Files.isRegularFile(jar);
    return new Check(what, readable, jar + (readable ? "" : " cannot be read"), "a readable file");
  }

  private static Check memory(ClusterSpec spec, int nodes) {
    long needed = nodes * (spec.heapMegabytes() * MIB + NODE_OVERHEAD_BYTES);
    long available = MachineMemory.availableBytes();
    return new Check(
        "memory",
        available >= needed,
        available / MIB + " MiB available",
        needed / MIB
            + " MiB for %d node%s of %d MB heap"
                .formatted(nodes, nodes == 1 ? "" : "s", spec.heapMegabytes()));
  }

  private static Check disk(ClusterSpec spec, int nodes, long dataBytes) {
    long needed = nodes * NODE_DISK_BYTES + dataBytes;
    Path existing = existingParent(spec.home());
    // not Files.getFileStore: it looks for the mount point, which a chroot need not show
    long free = existing.toFile().getUsableSpace();
    return new Check(
        "disk",
        free >= needed && Files.isWritable(existing),
        free / MIB + " MiB free and writable=" + Files.isWritable(existing) + " at " + existing,
        needed / MIB
            + " MiB"
            + (dataBytes == 0 ? "" : ", " + dataBytes / MIB + " MiB of it for the data"));
  }

  private static Path existingParent(Path path) {
    Path parent = path.getParent();
    return parent == null || Files.exists(path) ? path : existingParent(parent);
  }

  private static Check fileHandles() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/limits"))) {
      String hard =
          lines
              .filter(line -> line.startsWith("Max open files"))
              .map(line -> line.trim().split("\\s+")[4])
              .findFirst()
              .orElse("unknown");
      boolean enough =
          hard.equals("unlimited") || (isNumber(hard) && Long.parseLong(hard) >= FILE_HANDLES);
      return new Check("file handles", enough, hard, FILE_HANDLES + " a process (ulimit -Hn)");
    } catch (IOException e) {
      return new Check("file handles", false, "no /proc/self/limits", "Linux");
    }
  }

  private static boolean isNumber(String text) {
    return text.chars().allMatch(Character::isDigit);
  }

  private static Check ports(ClusterSpec spec, List<NodeLayout> nodes) {
    List<String> taken = new ArrayList<>();
    for (NodeLayout node : nodes) {
      requireFree(node.address(), spec.ports().cql(), "CQL", taken);
      requireFree(node.address(), spec.ports().storage(), "storage", taken);
      requireFree("127.0.0.1", node.jmxPort(), "JMX", taken);
      // the node's own, which a kill of the node leaves, is in nobody's way
      NodeServers.places(spec, node)
          .forEach(
              (kind, place) -> {
                if (kind.running(place).isEmpty()) {
                  requireFree(place.address(), place.port(), kind.engine(), taken);
                }
              });
    }
    return Check.ports(
        taken, "free ports (a cluster that is still running? see ./counterpart status)");
  }

  private static void requireFree(String address, int port, String what, List<String> taken) {
    if (!TcpPort.isFree(address, port)) {
      taken.add(address + ":" + port + " (" + what + ")");
    }
  }
}
