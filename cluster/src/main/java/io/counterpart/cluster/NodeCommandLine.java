package io.counterpart.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.NodeFiles;
import io.counterpart.cluster.layout.NodeLayout;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Command lines for a Cassandra node and for NodeTool. */
final class NodeCommandLine {

  private static final Path SETSID = Path.of("/usr/bin/setsid");

  private NodeCommandLine() {}

  /**
   * The command that runs one node in the foreground of a session of its own, so that a Ctrl-C
   * meant for this JVM reaches the node only as an orderly stop.
   *
   * @param systemProperties {@code name=value} for this start only
   */
  static List<String> server(ClusterSpec spec, NodeLayout node, List<String> systemProperties)
      throws IOException {
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(SETSID)) {
      command.add(SETSID.toString());
    }
    command.add(java());
    command.addAll(moduleOptions());
    command.addAll(archiveOptions(spec));
    command.addAll(memoryOptions(spec.heapMegabytes()));
    command.add("-Dcassandra.config=" + node.yaml().toUri());
    command.add("-Dcassandra-rackdc.properties=" + node.rackProperties().toUri());
    command.add("-Dlogback.configurationFile=" + node.logback());
    command.add(storageArgument(node));
    command.add("-Dcassandra.logdir=" + node.logs());
    command.add("-Djava.io.tmpdir=" + node.temporary());
    command.add("-Djna.tmpdir=" + node.temporary());
    command.add("-Dcassandra.jmx.local.port=" + node.jmxPort());
    command.add("-Dcassandra-foreground=yes");
    command.add("-Dcassandra.ring_delay_ms=5000");
    // else a node can be rebuilt only once
    command.add("-Dcassandra.reset_bootstrap_progress=true");
    command.add("-Dcassandra.skip_wait_for_gossip_to_settle=0");
    // also between attempts: without a delay a node that sees no other yet makes thousands, and
    // logs each
    command.add("-Dcassandra.superuser_setup_delay_ms=100");
    systemProperties.forEach(property -> command.add("-D" + property));
    command.addAll(spec.jvmOptions());
    command.add("-cp");
    command.add(classPath(spec));
    command.add("org.apache.cassandra.service.CassandraDaemon");
    return command;
  }

  /** Which no process has but the node's own. */
  static String storageArgument(NodeLayout node) {
    return "-Dcassandra.storagedir=" + node.directory();
  }

  static List<String> nodetool(ClusterSpec spec, int jmxPort, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(moduleOptions());
    command.addAll(archiveOptions(spec));
    // NodeTool writes its history below user.home
    command.add("-Duser.home=" + spec.home().resolve("nodetool"));
    command.add("-Djava.io.tmpdir=" + spec.home().resolve("nodetool"));
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:+UseSerialGC");
    command.add("-XX:-UsePerfData");
    command.add("-Xmx128m");
    command.add("-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener");
    command.add("-Dlogback.configurationFile=" + spec.home().resolve("nodetool/logback.xml"));
    command.add("-cp");
    command.add(classPath(spec));
    command.add("org.apache.cassandra.tools.NodeTool");
    command.add("-h");
    command.add("127.0.0.1");
    command.add("-p");
    command.add(String.valueOf(jmxPort));
    command.addAll(arguments);
    return command;
  }

  /** Cassandra's jars in the order of their names, which is the same at every start. */
  static List<Path> serverJars(Path serverLib) throws IOException {
    try (Stream<Path> files = Files.list(serverLib)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }

  // the server's jars first, since a class archive holds for the beginning of a class path, and the
  // plugin changes; a stale copy of it among them would be loaded silently
  private static String classPath(ClusterSpec spec) throws IOException {
    Stream<Path> plugin = Stream.ofNullable(spec.pluginJar());
    Stream<Path> server =
        serverJars(spec.serverLib()).stream()
            .filter(jar -> spec.pluginJar() == null || !Installation.isPlugin(jar));
    return Stream.of(server, spec.extraJars().stream(), plugin)
        .flatMap(jars -> jars)
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static List<String> archiveOptions(ClusterSpec spec) throws IOException {
    Optional<ClassArchive> archive = ClassArchive.of(spec);
    return archive.isPresent() ? archive.get().options() : List.of();
  }

  private static List<String> memoryOptions(int heapMegabytes) {
    return List.of(
        "-Xms" + heapMegabytes + "m",
        "-Xmx" + heapMegabytes + "m",
        "-Xss256k",
        // less CPU than G1 where several nodes share two cores
        "-XX:+UseParallelGC",
        "-XX:ParallelGCThreads=2",
        "-XX:MaxDirectMemorySize=" + Math.max(256, heapMegabytes / 2) + "m",
        "-XX:+ExitOnOutOfMemoryError",
        // would be written to /tmp
        "-XX:-UsePerfData",
        "-ea:io.counterpart...");
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static List<String> moduleOptions() throws IOException {
    return new String(NodeFiles.resource("jvm17.options"), UTF_8)
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .collect(Collectors.toList());
  }
}
