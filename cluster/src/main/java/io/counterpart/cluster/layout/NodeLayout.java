package io.counterpart.cluster.layout;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * One node's place in a cluster: its address, ports and files.
 *
 * @param index 1-based
 * @param tokens planned initial tokens; empty for a node that allocates its own while joining
 */
public record NodeLayout(
    int index, String address, Ports ports, Path directory, Location location, List<Long> tokens) {

  public NodeLayout {
    tokens = List.copyOf(tokens);
  }

  public static NodeLayout of(ClusterSpec spec, int index, Location location, List<Long> tokens) {
    Path directory = spec.home().resolve("node" + index);
    return new NodeLayout(index, address(index), spec.ports(), directory, location, tokens);
  }

  static String address(int index) {
    return "127.0.0." + index;
  }

  /** The layouts of a fresh cluster, node 1 first. */
  public static List<NodeLayout> of(ClusterSpec spec) {
    List<List<Long>> tokens = spec.placement().tokens(spec);
    return java.util.stream.IntStream.rangeClosed(1, spec.nodes())
        .mapToObj(i -> of(spec, i, spec.locations().get(i - 1), tokens.get(i - 1)))
        .toList();
  }

  public int jmxPort() {
    return ports.jmx(index);
  }

  public Path yaml() {
    return directory.resolve("conf/cassandra.yaml");
  }

  public Path rackProperties() {
    return directory.resolve("conf/cassandra-rackdc.properties");
  }

  public Path logback() {
    return directory.resolve("conf/logback.xml");
  }

  public Path data() {
    return directory.resolve("data");
  }

  Path commitLog() {
    return directory.resolve("commitlog");
  }

  Path hints() {
    return directory.resolve("hints");
  }

  Path savedCaches() {
    return directory.resolve("saved_caches");
  }

  /** Whether a start finds data of an earlier one. */
  public boolean hasData() {
    return Files.isDirectory(data().resolve("system"));
  }

  public Path logs() {
    return directory.resolve("logs");
  }

  public Path systemLog() {
    return logs().resolve("system.log");
  }

  /** What the process wrote to its terminal: JVM errors come here and nowhere else. */
  public Path console() {
    return logs().resolve("console.log");
  }

  public Path temporary() {
    return directory.resolve("tmp");
  }
}
