package io.counterpart.cli.nodes;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Storage engines that this build does not make, by the names that their providers tell. A jar
 * lists its providers as services, which are loaded beside what a node has on its class path. Jars
 * are opened when the first name is looked up that is not this build's. Used by one thread.
 */
final class FurtherEngines {
  private static final String PROVIDER = "io.counterpart.engine.KvStoreProvider";
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,47}");

  /** Engines of this build, and memtable configurations that every node has. */
  private static final Set<String> TAKEN =
      Set.of("lsm", "lmdb", "memory", "volatile", "redis", "sql", "engine", "trie", "default");

  private final List<Path> given;
  private final List<Path> beside;
  private final Supplier<List<Path>> classPath;
  private @Nullable Map<String, Path> jars;

  /**
   * @param given jars that were named: one without an engine that is named is a mistake
   * @param beside jars that may have engines
   * @param classPath of nodes, the plugin's jar among it; asked only when jars are opened
   */
  FurtherEngines(List<Path> given, List<Path> beside, Supplier<List<Path>> classPath) {
    this.given = given.stream().map(jar -> jar.toAbsolutePath().normalize()).distinct().toList();
    this.beside = beside.stream().filter(jar -> !this.given.contains(jar)).toList();
    this.classPath = classPath;
  }

  /** The jar of an engine; empty for one of this build. */
  Optional<Path> jar(String engine) {
    return TAKEN.contains(engine) ? Optional.empty() : Optional.ofNullable(jars().get(engine));
  }

  /**
   * Looks whether there is an engine.
   *
   * @param what says who names it
   * @param own engines of this build that are legal
   * @throws IllegalArgumentException with the engines that are legal
   */
  void require(String what, String engine, List<String> own) {
    if (own.contains(engine) || jar(engine).isPresent()) {
      return;
    }
    List<String> legal = new ArrayList<>(own);
    legal.addAll(jars().keySet());
    throw new IllegalArgumentException(
        "%s is '%s', legal: one of %s".formatted(what, engine, legal));
  }

  /**
   * Looks whether each jar that was named has one of the engines.
   *
   * @throws IllegalArgumentException with those that it has
   */
  void requireUsed(List<String> engines) {
    for (Path file : given) {
      List<String> names =
          jars().entrySet().stream()
              .filter(entry -> entry.getValue().equals(file))
              .map(Map.Entry::getKey)
              .toList();
      if (names.stream().noneMatch(engines::contains)) {
        throw new IllegalArgumentException(
            "--engine-jar is '%s' with the engines %s, legal: a jar with one that --engine or --engines names"
                .formatted(file, names));
      }
    }
  }

  private Map<String, Path> jars() {
    Map<String, Path> known = jars;
    if (known == null) {
      known = new TreeMap<>();
      for (Path file : Stream.concat(given.stream(), beside.stream()).toList()) {
        for (String name : names(file)) {
          requireFree(name, file, known.put(name, file));
        }
      }
      jars = known;
    }
    return known;
  }

  private static void requireFree(String name, Path file, @Nullable Path other) {
    if (other != null) {
      throw new IllegalArgumentException(
          "engine '%s' is in %s and in %s, legal: in one jar".formatted(name, other, file));
    }
    if (TAKEN.contains(name) || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "%s has an engine '%s', legal: small letters, digits and _, a letter first, and none of %s"
              .formatted(file, name, TAKEN.stream().sorted().toList()));
    }
  }

  // a node loads the same jar
  @SuppressWarnings("BanClassLoader")
  private List<String> names(Path file) {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new IllegalArgumentException(
          "--engine-jar is '%s', legal: a file that can be read".formatted(file));
    }
    try (URLClassLoader loader =
        new URLClassLoader(urls(file), ClassLoader.getPlatformClassLoader())) {
      Class<?> provider = Class.forName(PROVIDER, false, loader);
      Method name = provider.getMethod("name");
      List<String> names = new ArrayList<>();
      for (ServiceLoader.Provider<?> each :
          ServiceLoader.load(provider, loader).stream().toList()) {
        // a node's own jars may have engines as well
        if (isIn(file, each.type())) {
          names.add(String.valueOf(name.invoke(each.get())));
        }
      }
      return names;
    } catch (IOException
        | ReflectiveOperationException
        | ServiceConfigurationError
        | LinkageError e) {
      throw new IllegalArgumentException(
          "%s does not tell its engines, legal: a jar as docs/ENGINES.md has it (Add an engine): %s"
              .formatted(file, e),
          e);
    }
  }

  private static boolean isIn(Path file, Class<?> type) throws IOException {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source != null
        && source.getLocation().toExternalForm().equals(file.toUri().toURL().toExternalForm());
  }

  private URL[] urls(Path file) throws IOException {
    List<URL> urls = new ArrayList<>();
    urls.add(file.toUri().toURL());
    for (Path jar : classPath.get()) {
      urls.add(jar.toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  /** The jars of a directory; none if it cannot be read, which the start of the nodes refuses. */
  static List<Path> in(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    } catch (IOException absent) {
      return List.of();
    }
  }
}
