package io.counterpart.cluster.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes a node's configuration and removes its data. */
public final class NodeFiles {

  private NodeFiles() {}

  /** Creates the node's directories and (re)writes its configuration. */
  public static void write(ClusterSpec spec, NodeLayout node, Join join, List<String> seeds)
      throws IOException {
    Files.createDirectories(node.yaml().getParent());
    Files.createDirectories(node.logs());
    Files.createDirectories(node.temporary());
    Files.writeString(
        node.yaml(), CassandraYaml.render(CassandraYaml.entries(spec, node, join, seeds)), UTF_8);
    Files.writeString(
        node.rackProperties(),
        "dc=" + node.location().dc() + "\nrack=" + node.location().rack() + "\n",
        UTF_8);
    Files.write(node.logback(), resource("logback.xml"));
  }

  /** Prepares the home directory that every NodeTool process of the cluster shares. */
  public static void writeNodetool(ClusterSpec spec) throws IOException {
    Path directory = Files.createDirectories(spec.home().resolve("nodetool"));
    Files.writeString(
        directory.resolve("logback.xml"),
        "<configuration><root level=\"OFF\"/></configuration>\n",
        UTF_8);
  }

  /** Deletes what a lost disk would lose: data, commit log, hints and saved caches. */
  public static void wipe(NodeLayout node) throws IOException {
    for (Path path : List.of(node.data(), node.commitLog(), node.hints(), node.savedCaches())) {
      deleteTree(path);
    }
    deleteTree(node.directory().resolve("cdc_raw"));
  }

  /** Deletes a directory with all it holds; absent is fine. */
  public static void deleteTree(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
              throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  public static byte[] resource(String name) throws IOException {
    try (InputStream in = NodeFiles.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }
}
