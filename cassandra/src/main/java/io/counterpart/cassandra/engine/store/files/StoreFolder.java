package io.counterpart.cassandra.engine.store.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.engine.DurableFiles;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.StoreException;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Where one engine keeps the stores of one table. A file {@code engine} in it names the engine and
 * its location, so that whoever finds the folder later knows how to open it.
 *
 * @param path named after the engine; with a checksum of the location if there is one
 * @param location as {@code KvEngine.location}
 */
public record StoreFolder(Path path, String engine, String location) {
  private static final String FILE = "engine";

  /** The folder of an engine among those of a table. */
  public static StoreFolder of(Path root, String engine, String location) {
    CRC32 crc = new CRC32();
    crc.update(location.getBytes(UTF_8));
    String name = location.isEmpty() ? engine : "%s-%08x".formatted(engine, crc.getValue());
    return new StoreFolder(root.resolve(name), engine, location);
  }

  public FolderFiles files() {
    return new FolderFiles(path);
  }

  /** The folders of a table that have stores. */
  public static List<StoreFolder> in(Path root) {
    return those(root, files -> !files.numbers().isEmpty());
  }

  /** Those that have nothing but stores whose data is elsewhere. */
  public static List<StoreFolder> retiredIn(Path root) {
    return those(root, files -> files.numbers().isEmpty() && !files.retired().isEmpty());
  }

  private static List<StoreFolder> those(Path root, Predicate<FolderFiles> such) {
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(root)) {
      return entries
          .filter(Files::isDirectory)
          .filter(folder -> such.test(new FolderFiles(folder)))
          .sorted()
          .map(StoreFolder::read)
          .toList();
    } catch (IOException e) {
      throw new StoreException("cannot list " + root, e);
    }
  }

  private static StoreFolder read(Path path) {
    Path file = path.resolve(FILE);
    try {
      List<String> lines = Files.readAllLines(file, UTF_8);
      if (lines.size() != 2) {
        throw new StoreException("damaged: " + file);
      }
      return new StoreFolder(path, lines.get(0), lines.get(1));
    } catch (IOException e) {
      throw new StoreException("cannot tell whose stores are in " + path, e);
    }
  }

  /** Whether nothing of a store is in it. */
  boolean isUnused() {
    return files().numbers().isEmpty() && files().retired().isEmpty();
  }

  /** Removes the folder and, if it was the last one, its parent, unless a store is in it. */
  public void deleteIfUnused() {
    if (isUnused()) {
      KvEngine.deleteFiles(path);
      Path root = path.getParent();
      if (root != null) {
        deleteIfEmpty(root);
      }
    }
  }

  /** Removes the folders' parent, if no other engine has stores in it. */
  private static void deleteIfEmpty(Path root) {
    try (Stream<Path> entries = Files.isDirectory(root) ? Files.list(root) : Stream.empty()) {
      if (entries.findAny().isEmpty()) {
        Files.deleteIfExists(root);
      }
    } catch (DirectoryNotEmptyException e) {
      // another engine's folder has just come
      return;
    } catch (IOException e) {
      throw new StoreException("cannot delete " + root, e);
    }
  }

  /** Creates the folder, durably, if it is not there. */
  public void create() {
    Path file = path.resolve(FILE);
    if (Files.exists(file)) {
      return;
    }
    try {
      DurableFiles.write(file, engine + "\n" + location + "\n");
    } catch (IOException e) {
      throw new StoreException("cannot write " + file, e);
    }
  }
}
