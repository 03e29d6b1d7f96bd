package io.counterpart.cli.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FurtherEnginesTest {
  private static final String PROVIDER = "io.counterpart.engine.KvStoreProvider";
  private static final List<String> OWN = List.of("lmdb", "memory");

  @TempDir Path directory;

  private Path plugin;

  @BeforeEach
  void make_a_plugin_with_the_interface() throws IOException {
    compile(PROVIDER, "public interface KvStoreProvider { String name(); }");
    plugin = jar("plugin.jar", List.of(PROVIDER), "");
  }

  @Test
  void a_jar_s_engines_have_the_names_that_their_providers_tell() throws IOException {
    Path mine = engine("Mine", "mine");
    Path other = engine("Other", "other");
    FurtherEngines engines =
        new FurtherEngines(List.of(mine), List.of(other), () -> List.of(plugin));

    engines.require("--engine", "mine", OWN);
    engines.require("--engine", "lmdb", OWN);
    assertThat(engines.jar("mine")).contains(mine);
    assertThat(engines.jar("other")).contains(other);
    assertThat(engines.jar("lmdb")).isEmpty();
    engines.requireUsed(List.of("lmdb", "mine"));
    assertThatThrownBy(() -> engines.require("--engine", "innodb", OWN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--engine is 'innodb', legal: one of [lmdb, memory, mine, other]");
    assertThatThrownBy(() -> engines.requireUsed(List.of("other")))
        .hasMessageContaining(mine + "' with the engines [mine], legal: a jar with one that");
  }

  @Test
  void names_that_nodes_have_already_are_refused() throws IOException {
    Path taken = engine("Taken", "default");
    Path first = engine("First", "twice");
    Path second = engine("Second", "twice");

    assertThatThrownBy(() -> of(taken).require("--engine", "x", OWN))
        .hasMessageContaining("has an engine 'default', legal: ");
    assertThatThrownBy(() -> of(first, second).require("--engine", "x", OWN))
        .hasMessageContaining("engine 'twice' is in ");
  }

  /** Cassandra's lib has the plugin, and may have engines' jars beside it. */
  @Test
  void engines_that_a_node_has_anyway_are_not_those_of_a_jar() throws IOException {
    Path mine = engine("Mine", "mine");
    Path lmdb = engine("Lmdb", "lmdb");
    FurtherEngines engines =
        new FurtherEngines(List.of(mine), List.of(), () -> List.of(plugin, lmdb));

    engines.require("--engine", "mine", OWN);

    assertThat(engines.jar("mine")).contains(mine);
    assertThatThrownBy(() -> engines.requireUsed(List.of("lmdb")))
        .hasMessageContaining("with the engines [mine]");
  }

  @Test
  void a_file_that_is_no_engine_s_jar_is_named() throws IOException {
    assertThatThrownBy(() -> of(directory.resolve("absent.jar")).require("--engine", "x", OWN))
        .hasMessageContaining("absent.jar', legal: a file that can be read");
    Path broken = jar("broken.jar", List.of(), "no.such.Provider");
    assertThatThrownBy(() -> of(broken).require("--engine", "x", OWN))
        .hasMessageContaining("does not tell its engines")
        .hasMessageContaining("no.such.Provider");
    Path empty = jar("empty.jar", List.of(), "");
    assertThatThrownBy(() -> of(empty).requireUsed(List.of("lmdb")))
        .hasMessageContaining("with the engines []");
  }

  @Test
  void no_jar_is_opened_for_engines_of_this_build() {
    FurtherEngines engines =
        new FurtherEngines(
            List.of(),
            List.of(directory.resolve("absent.jar")),
            () -> {
              throw new AssertionError("the plugin need not be there");
            });

    engines.require("--engine", "lmdb", OWN);
    assertThat(engines.jar("lmdb")).isEmpty();
    engines.requireUsed(List.of("lmdb"));
  }

  private FurtherEngines of(Path... jars) {
    return new FurtherEngines(List.of(jars), List.of(), () -> List.of(plugin));
  }

  private Path engine(String type, String name) throws IOException {
    String qualified = "x." + type;
    compile(
        qualified,
        "public final class %s implements %s { public String name() { return \"%s\"; } }"
            .formatted(type, PROVIDER, name));
    return jar(type + ".jar", List.of(qualified), qualified);
  }

  private void compile(String type, String source) throws IOException {
    int dot = type.lastIndexOf('.');
    Path file = directory.resolve("src").resolve(type.replace('.', '/') + ".java");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "package " + type.substring(0, dot) + "; " + source);
    List<String> arguments = new ArrayList<>(List.of("-proc:none", "-cp", classes().toString()));
    arguments.addAll(List.of("-d", classes().toString(), file.toString()));
    int exitCode =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(exitCode).isZero();
  }

  private Path classes() throws IOException {
    return Files.createDirectories(directory.resolve("classes"));
  }

  private Path jar(String name, List<String> types, String provider) throws IOException {
    Path file = directory.resolve(name);
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out)) {
      for (String type : types) {
        String entry = type.replace('.', '/') + ".class";
        jar.putNextEntry(new JarEntry(entry));
        jar.write(Files.readAllBytes(classes().resolve(entry)));
      }
      jar.putNextEntry(new JarEntry("META-INF/services/" + PROVIDER));
      jar.write(provider.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    return file;
  }
}
