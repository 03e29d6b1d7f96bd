package io.counterpart.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The paths at which this repository's build puts a cluster's jars.
 *
 * @param root the repository, absolute
 */
public record Installation(Path root) {

  /** System property that the launcher and the test runner set to the repository's root. */
  public static final String HOME_PROPERTY = "counterpart.home";

  private static final Set<String> IN_JAR_OF_LMDB = Set.of("memory", "volatile");

  /** Folders of engines that this build has itself. */
  private static final Set<String> OWN_ENGINES = Set.of("lmdb", "redis", "spi", "sql");

  private static final String VERSION = "-[\\d.]+(-SNAPSHOT)?";
  private static final Pattern CASSANDRA_JAR = Pattern.compile("cassandra-all-([\\d.]+)\\.jar");

  public Installation {
    root = root.toAbsolutePath().normalize();
  }

  /**
   * The installation that {@value #HOME_PROPERTY} names.
   *
   * @throws IllegalStateException if the property is not set
   */
  public static Installation locate() {
    return find()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "system property "
                        + HOME_PROPERTY
                        + " is not set; start through ./counterpart"));
  }

  /** The installation that {@value #HOME_PROPERTY} names; empty if it is not set. */
  static Optional<Installation> find() {
    return Optional.ofNullable(System.getProperty(HOME_PROPERTY))
        .map(Path::of)
        .map(Installation::new);
  }

  /** Jars of stock Cassandra, a whole server. */
  public Path serverLib() {
    return root.resolve("cassandra/target/server-lib");
  }

  /** The version of that Cassandra, by its jar's name; empty if the build has not made it. */
  public Optional<String> cassandraVersion() {
    try (Stream<Path> files = Files.list(serverLib())) {
      return files
          .map(file -> CASSANDRA_JAR.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .map(name -> name.group(1))
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * The plugin jar.
   *
   * @throws IllegalStateException if the build has not made it, or has left several
   */
  public Path pluginJar() {
    return onlyJar("plugin", root.resolve("cassandra/target"), Installation::isPlugin);
  }

  /**
   * The jar of a storage engine, which a node needs beside the plugin.
   *
   * @param engine its name, such as {@code lmdb}
   * @throws IllegalStateException if the build has not made it, or has left several
   */
  public Path engineJar(String engine) {
    String module = IN_JAR_OF_LMDB.contains(engine) ? "lmdb" : engine;
    String name = "counterpart-engine-" + Pattern.quote(module) + VERSION + "\\.jar";
    return onlyJar(
        "engine",
        root.resolve("engines").resolve(module).resolve("target"),
        file -> file.getFileName().toString().matches(name));
  }

  /** Jars of modules that stand beside this build's own engines, in the order of their folders. */
  public List<Path> furtherEngineJars() {
    List<Path> jars = new ArrayList<>();
    try (Stream<Path> folders = Files.list(root.resolve("engines"))) {
      for (Path folder : folders.sorted().toList()) {
        if (!OWN_ENGINES.contains(folder.getFileName().toString())) {
          jars.addAll(engineJars(folder.resolve("target")));
        }
      }
    } catch (IOException noEngines) {
      return List.of();
    }
    return List.copyOf(jars);
  }

  private static List<Path> engineJars(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    String name = "counterpart-engine-.+" + VERSION + "\\.jar";
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.getFileName().toString().matches(name)).sorted().toList();
    }
  }

  private static Path onlyJar(String what, Path directory, Predicate<Path> wanted) {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> jars = files.filter(wanted).toList();
      if (jars.size() == 1) {
        return jars.get(0);
      }
      throw new IllegalStateException(
          jars.size() + " " + what + " jars in " + directory + ", not 1: run make build");
    } catch (IOException e) {
      throw new IllegalStateException(
          "no " + what + " jar in " + directory + ": run make build", e);
    }
  }

  /** What JVMs have archived of the server jars; made again when it is deleted. */
  Path classArchives() {
    return root.resolve("target/class-archive");
  }

  /** Where the command line keeps its cluster unless told otherwise. */
  public Path defaultClusterHome() {
    return root.resolve(".counterpart/cluster");
  }

  /** Where the command line keeps its memory tier unless told otherwise. */
  public Path defaultTierHome() {
    return root.resolve(".counterpart/cache");
  }

  static boolean isPlugin(Path file) {
    return file.getFileName().toString().matches("counterpart-cassandra" + VERSION + "\\.jar");
  }
}
