package io.counterpart.cli.doctor;

import io.counterpart.cli.nodes.PluginJar;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.jmx.JmxEndpoint;
import io.counterpart.cluster.jmx.NodeJmx;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compares the plugin between nodes: each must have exactly one jar, the same on all. */
final class PluginSurvey {

  private static final Duration JMX_LIMIT = Duration.ofSeconds(10);
  private static final String RUNTIME = "java.lang:type=Runtime";
  private static final String INSTALL =
      "counterpart install --into its lib directory, and restart it";

  private final List<Finding> findings = new ArrayList<>();
  private Optional<PluginJar> reference;

  /** Where only names are seen; empty until there is one. */
  private String expectedName;

  /**
   * @param reference the jar that every node should have; without one the first node's is taken
   */
  PluginSurvey(Optional<PluginJar> reference) {
    this.reference = reference;
    expectedName = reference.map(jar -> String.valueOf(jar.file().getFileName())).orElse("");
  }

  /** Examines what a live node's JVM has on its class path. */
  void examine(Node node) {
    try (NodeJmx jmx = node.jmx()) {
      String classPath = (String) jmx.attribute(RUNTIME, "ClassPath");
      judge(
          "plugin on " + node,
          Stream.of(classPath.split(File.pathSeparator))
              .map(Path::of)
              .filter(PluginJar::isNamedLikeOne)
              .toList());
    } catch (UncheckedIOException silent) {
      findings.add(
          Finding.bad(
              "plugin on " + node, "the node does not answer on JMX", "counterpart status"));
    }
  }

  /** Examines a Cassandra's lib directory. */
  void examine(Path lib) {
    String subject = "plugin in " + lib;
    try {
      judge(subject, PluginJar.in(lib));
    } catch (IOException | UncheckedIOException e) {
      findings.add(Finding.bad(subject, "the directory cannot be read", "check the path"));
    }
  }

  /** Examines a remote node by what its JVM names on its class path: file names only. */
  void examine(JmxEndpoint node) {
    String subject = "plugin on " + node.host();
    try (NodeJmx jmx = node.connect(JMX_LIMIT)) {
      String classPath = (String) jmx.attribute(RUNTIME, "ClassPath");
      judgeNames(subject, classPath);
    } catch (IOException | UncheckedIOException e) {
      findings.add(
          Finding.bad(
              subject,
              "no JMX on %s: %s".formatted(node, e.getMessage()),
              "ask it by CQL: doctor --contact-points; or run doctor there with --lib"));
    }
  }

  /**
   * Examines a node elsewhere by its class path: file names only.
   *
   * @param name of the node
   * @param classPath null where it does not show it
   */
  void examineClassPath(String name, @Nullable String classPath) {
    String subject = "plugin on " + name;
    if (classPath == null) {
      findings.add(
          Finding.bad(
              subject,
              "its class path cannot be read by CQL",
              "look whether the node runs and the user may read system_views"));
    } else {
      judgeNames(subject, classPath);
    }
  }

  private void judgeNames(String subject, String classPath) {
    List<String> names =
        Stream.of(classPath.split(File.pathSeparator))
            .map(Path::of)
            .filter(PluginJar::isNamedLikeOne)
            .map(file -> String.valueOf(file.getFileName()))
            .toList();
    if (names.isEmpty()) {
      findings.add(Finding.bad(subject, "missing", INSTALL));
    } else if (names.size() > 1 || !expectedName.isEmpty() && !names.contains(expectedName)) {
      String wanted = expectedName.isEmpty() ? "one jar" : expectedName;
      findings.add(
          Finding.bad(subject, names.toString(), "exactly " + wanted + " is wanted; " + INSTALL));
    } else {
      expectedName = names.get(0);
      findings.add(Finding.ok(subject, names.get(0)));
    }
  }

  List<Finding> findings() {
    return List.copyOf(findings);
  }

  private void judge(String subject, List<Path> jars) {
    if (jars.isEmpty()) {
      findings.add(Finding.bad(subject, "missing", INSTALL));
      return;
    }
    if (jars.size() > 1) {
      findings.add(Finding.bad(subject, jars.size() + " jars: " + jars, "leave only one"));
      return;
    }
    Path file = jars.get(0);
    try {
      if (!Files.exists(file)) {
        findings.add(Finding.bad(subject, file + " was deleted under the running node", INSTALL));
        return;
      }
      compare(subject, PluginJar.read(file));
    } catch (IOException e) {
      findings.add(Finding.bad(subject, file + " is no readable jar: " + e.getMessage(), INSTALL));
    }
  }

  private void compare(String subject, PluginJar jar) {
    PluginJar expected = reference.orElse(jar);
    reference = Optional.of(expected);
    String found = jar.version() + " (" + jar.sha256().substring(0, 12) + ")";
    if (jar.sha256().equals(expected.sha256())) {
      findings.add(Finding.ok(subject, found));
    } else {
      findings.add(
          Finding.bad(
              subject,
              found
                  + ", differs from "
                  + expected.version()
                  + " ("
                  + expected.sha256().substring(0, 12)
                  + ") of "
                  + expected.file(),
              INSTALL));
    }
  }
}
