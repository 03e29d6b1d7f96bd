package io.counterpart.cli.doctor;

import com.datastax.oss.driver.api.core.CqlSession;
import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.cli.lab.LocalAccess;
import io.counterpart.cli.lab.RemoteOptions;
import io.counterpart.cli.nodes.HomeOption;
import io.counterpart.cli.nodes.JmxAddress;
import io.counterpart.cli.nodes.PluginJar;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Installation;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.Preflight;
import io.counterpart.cluster.jmx.JmxEndpoint;
import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.lab.remote.RemoteAccess;
import io.counterpart.lab.remote.SurveySession;
import io.counterpart.process.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counterpart doctor}: finds faults of the installation before they hurt. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Without a running cluster: JDK, memory, disk, ports and file handles for one of --nodes nodes.",
      "Also memcached and libisal, which the memory tier uses: a missing one is a warning.",
      "With one, or with --host or --lib: whether every node has the plugin, and the same.",
      "With one, or with --contact-points: whether every node knows the memtable configurations that"
          + " tables name, and serves such tables from their engines. Of other machines' nodes the"
          + " plugin is compared by its file name."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all is well, but for warnings",
      "1:something is wrong; each finding says what to do",
      "2:a bad option",
      "3:no contact point answers"
    })
public final class DoctorCommand implements Callable<Integer> {

  private static final Path MAX_MAPS = Path.of("/proc/sys/vm/max_map_count");

  @Spec private CommandSpec command;
  @Mixin private HomeOption home;
  @Mixin private Output output;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "5",
      description = "Nodes of the cluster to be started, 1 to 32 (default: 5).")
  private int nodes;

  @Option(
      names = "--heap",
      paramLabel = "MB",
      defaultValue = "700",
      description = "Heap of each in megabytes, 256 to 32768 (default: 700).")
  private int heapMegabytes;

  @Option(
      names = "--lib",
      paramLabel = "DIR",
      description = "lib directory of a Cassandra installation; repeatable.")
  private List<Path> libs = new ArrayList<>();

  @Option(
      names = "--host",
      paramLabel = "HOST[:JMXPORT]",
      description =
          "Node elsewhere, by JMX (compares file names only; with the login and TLS of JMX that"
              + " --contact-points comes with); repeatable.")
  private List<String> hosts = new ArrayList<>();

  @ArgGroup(exclusive = false, heading = "%nA cluster that somebody else runs, by CQL:%n")
  private @Nullable RemoteOptions remote;

  @Override
  public Integer call() {
    List<Finding> findings = remote == null ? local() : elsewhere(remote);
    boolean well = findings.stream().allMatch(Finding::ok);
    output.result(
        Map.of("ok", well, "findings", findings),
        findings.stream().map(Finding::text).collect(Collectors.joining(System.lineSeparator())));
    return well ? ExitCodes.OK : ExitCodes.FAILURE;
  }

  /** Nodes that only CQL reaches, or JMX too if hosts are named. */
  private List<Finding> elsewhere(RemoteOptions options) {
    RemoteAccess access = options.accessToAll(command.commandLine());
    List<JmxAddress> addresses = addresses(access.jmxPort().orElse(JmxAddress.USUAL_PORT));
    PluginSurvey plugins = new PluginSurvey(built());
    libs.forEach(plugins::examine);
    addresses.forEach(each -> plugins.examine(access.jmx(each.host(), each.port())));
    List<Finding> findings = new ArrayList<>();
    try (CqlSession session = SurveySession.open(access)) {
      for (com.datastax.oss.driver.api.core.metadata.Node node : SurveySession.nodes(session)) {
        plugins.examineClassPath(
            SurveySession.name(node), SurveySession.classPath(session, node).orElse(null));
      }
      findings.addAll(plugins.findings());
      findings.addAll(EngineSurvey.of(session));
    }
    return findings;
  }

  private List<Finding> local() {
    Optional<Cluster> running = Cluster.attach(home.path());
    List<Finding> findings = new ArrayList<>();
    if (libs.isEmpty() && hosts.isEmpty()) {
      findings.addAll(machine(running));
    }
    findings.addAll(plugins(running));
    if (running.stream().flatMap(cluster -> cluster.nodes().stream()).anyMatch(Node::isRunning)) {
      findings.addAll(engines());
    }
    running.ifPresent(
        cluster ->
            findings.add(
                Finding.ok("placement", "tokens were placed by " + cluster.spec().placement())));
    return findings;
  }

  private List<Finding> engines() {
    try (CqlSession session = SurveySession.open(LocalAccess.of(home))) {
      return EngineSurvey.of(session);
    } catch (RuntimeException e) {
      return List.of(
          Finding.warning(
              EngineSurvey.SUBJECT, "not looked at: " + e.getMessage(), "counterpart status"));
    }
  }

  private List<Finding> machine(Optional<Cluster> running) {
    List<Finding> findings = new ArrayList<>();
    for (Check check : Preflight.check(running.map(Cluster::spec).orElseGet(this::planned))) {
      boolean heldByCluster =
          running.isPresent() && (check.name().equals("ports") || check.name().equals("memory"));
      if (heldByCluster) {
        findings.add(Finding.ok(check.name(), "held by the running cluster"));
      } else {
        findings.add(
            new Finding(
                check.passed(),
                check.name(),
                check.found(),
                check.passed() ? "" : "needed: " + check.needed()));
      }
    }
    findings.add(Finding.ok("memory maps", mapLimit()));
    findings.addAll(MemoryTierSurvey.ofThisMachine().findings());
    return findings;
  }

  private ClusterSpec planned() {
    try {
      return ClusterSpec.builder(home.path())
          .nodes(nodes)
          .heapMegabytes(heapMegabytes)
          .serverLib(Installation.locate().serverLib())
          .build();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
  }

  private List<Finding> plugins(Optional<Cluster> running) {
    List<JmxAddress> addresses = addresses(JmxAddress.USUAL_PORT);
    PluginSurvey survey = new PluginSurvey(built());
    if (libs.isEmpty() && hosts.isEmpty()) {
      running.ifPresent(
          cluster -> cluster.nodes().stream().filter(Node::isAlive).forEach(survey::examine));
      if (running.isEmpty()) {
        survey.examine(Installation.locate().root().resolve("cassandra/target"));
      }
    }
    libs.forEach(survey::examine);
    addresses.forEach(each -> survey.examine(new JmxEndpoint(each.host(), each.port(), null)));
    return survey.findings();
  }

  private List<JmxAddress> addresses(int usualPort) {
    try {
      return hosts.stream().map(host -> JmxAddress.parse("--host", host, usualPort)).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private static Optional<PluginJar> built() {
    try {
      return Optional.of(PluginJar.read(Installation.locate().pluginJar()));
    } catch (IOException | IllegalStateException absent) {
      return Optional.empty();
    }
  }

  private static String mapLimit() {
    try {
      return "vm.max_map_count "
          + Files.readAllLines(MAX_MAPS).get(0)
          + " (Cassandra advises 1048575 on servers)";
    } catch (IOException notLinux) {
      return "unknown";
    }
  }
}
