package io.counterpart.cli.nodes;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cluster.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counterpart install}: puts the plugin jar into an existing Cassandra. */
@Command(
    name = "install",
    mixinStandardHelpOptions = true,
    description = {
      "Copies the plugin jar into the lib directory of an existing Cassandra 5.0 and prints the next"
          + " steps. Replaces older plugin jars there. Restarts nothing.",
      "Debian package: /usr/share/cassandra/lib; tarball: lib below its directory."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the jar is there",
      "1:the copy failed; what was there before is unchanged",
      "2:a bad option, or --jar is no plugin jar",
      "3:the directory is no Cassandra 5.0 lib, or cannot be written, or there is no jar"
    })
public final class InstallCommand implements Callable<Integer> {

  private static final Pattern SERVER =
      Pattern.compile("(apache-cassandra|cassandra-all)-(\\d+\\.\\d+)\\.?[^/]*\\.jar");
  private static final String SUPPORTED = "5.0";

  @Spec private CommandSpec command;
  @Mixin private Output output;

  @Option(
      names = "--into",
      required = true,
      paramLabel = "DIR",
      description = "lib directory of that Cassandra.")
  private Path directory = Path.of("");

  @Option(
      names = "--jar",
      paramLabel = "FILE",
      description = "Plugin jar (default: the one that this checkout built).")
  private @Nullable Path jar;

  @Override
  public Integer call() throws IOException {
    requirePluginName();
    requireCassandraLib();
    PluginJar plugin = plugin();
    Path target = directory.resolve(String.valueOf(plugin.file().getFileName()));
    List<Path> older = new ArrayList<>(PluginJar.in(directory));
    older.remove(target);
    copyAtomically(plugin.file(), target);
    for (Path old : older) {
      Files.delete(old);
    }
    output.result(
        Map.of(
            "installed", target.toString(),
            "version", plugin.version(),
            "sha256", plugin.sha256(),
            "removed", older.stream().map(Path::toString).toList(),
            "nextSteps", nextSteps()),
        "installed "
            + target
            + System.lineSeparator()
            + "what remains to do:"
            + System.lineSeparator()
            + String.join(System.lineSeparator(), nextSteps()));
    return ExitCodes.OK;
  }

  /** Another jar would take the place of the plugin, without which nodes may not start. */
  private void requirePluginName() {
    if (jar != null && !PluginJar.isNamedLikeOne(jar)) {
      throw new ParameterException(
          command.commandLine(),
          "--jar is '%s', legal: a plugin jar, counterpart-cassandra-*.jar; copy an engine's jar by hand"
              .formatted(jar));
    }
  }

  private void requireCassandraLib() throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new PreconditionException(directory + " is no directory");
    }
    List<String> versions = new ArrayList<>(serverVersionsIn(directory));
    // Debian's packages keep the server one level above the libraries
    Path above = directory.toAbsolutePath().normalize().getParent();
    if (versions.isEmpty() && directory.endsWith("lib") && above != null) {
      versions.addAll(serverVersionsIn(above));
    }
    if (versions.isEmpty()) {
      throw new PreconditionException(
          directory
              + " is no Cassandra lib: neither it nor the directory above holds an apache-cassandra-"
              + SUPPORTED
              + ".*.jar");
    }
    if (!versions.contains(SUPPORTED)) {
      throw new PreconditionException(
          directory + " holds Cassandra " + versions.get(0) + "; the plugin is for " + SUPPORTED);
    }
    if (!Files.isWritable(directory)) {
      throw new PreconditionException(directory + " cannot be written by this user; try sudo");
    }
  }

  private static List<String> serverVersionsIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> SERVER.matcher(String.valueOf(file.getFileName())))
          .filter(Matcher::matches)
          .map(match -> match.group(2))
          .toList();
    }
  }

  private PluginJar plugin() {
    try {
      return PluginJar.read(jar != null ? jar : Installation.locate().pluginJar());
    } catch (IOException e) {
      throw new PreconditionException("cannot read the plugin jar: " + e.getMessage());
    } catch (IllegalStateException e) {
      throw new PreconditionException(String.valueOf(e.getMessage()));
    }
  }

  // a Cassandra that starts in the middle must see the old jar or the new one, never half of one
  private void copyAtomically(Path from, Path target) throws IOException {
    Path partial = Files.createTempFile(directory, "counterpart-", ".partial");
    try {
      Files.copy(from, partial, StandardCopyOption.REPLACE_EXISTING);
      partial.toFile().setReadable(true, false);
      Files.move(
          partial, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(partial);
    }
  }

  private static List<String> nextSteps() {
    return List.of(
        "  1. install on every other node too",
        "  2. restart the nodes one after another: nodetool drain, restart, then wait until nodetool"
            + " status shows UN",
        "  3. check that all nodes have the same jar: ./counterpart doctor --contact-points NODE, or"
            + " where JMX answers: ./counterpart doctor --host NODE[:JMXPORT] …",
        "  4. switch each table: ALTER TABLE ks.t WITH compaction = {'class':"
            + " 'io.counterpart.cassandra.compaction.DecoupledCompactionStrategy'};",
        "  5. watch it in a new cqlsh session (drivers list keyspaces when they connect):"
            + " SELECT * FROM counterpart.tables;",
        "  undo: ALTER each such table to a stock strategy first, put the former endpoint_snitch"
            + " back, then remove the jar; a node without the jar does not start while a table is"
            + " decoupled, or with the plugin's snitch; README.md has every step");
  }
}
