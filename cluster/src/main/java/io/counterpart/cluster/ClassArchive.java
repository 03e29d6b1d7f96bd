package io.counterpart.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.cluster.layout.ClusterSpec;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An archive of the parsed and verified classes of a Cassandra node, which every node maps instead
 * of loading them again (a dynamic archive of the JDK's class data sharing). One archive serves
 * every class path that begins with these jars, whatever the garbage collector and the compilers.
 * Safe to use from several processes at once.
 *
 * <p>The name holds a digest of the JVM and of the jars, so that a change of either makes a new
 * archive, and the file's length, since a JVM crashes on a truncated one. The JVM's checksums find
 * other damage, and the JVM then ignores the archive. An empty file says that this JVM makes none.
 */
final class ClassArchive {

  private static final String SUFFIX = ".jsa";
  private static final int DIGEST_CHARACTERS = 16;

  private final Path directory;
  private final String prefix;

  /**
   * @param directory where archives are kept; need not exist
   * @param serverJars first entries of the class path, in its order
   */
  ClassArchive(Path directory, List<Path> serverJars) throws IOException {
    this.directory = directory;
    this.prefix = "server-" + digest(serverJars) + "-";
  }

  /** Runs a JVM with {@link #recordingOptions}. */
  interface Maker {
    /** Returns when the JVM has ended; false if it came to a bad end, which may pass. */
    boolean make(Path file) throws IOException;
  }

  /** The archive for a cluster on this build's server jars; none for those of someone else. */
  static Optional<ClassArchive> of(ClusterSpec spec) throws IOException {
    Optional<Installation> installation =
        Installation.find().filter(found -> found.serverLib().equals(spec.serverLib()));
    return installation.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new ClassArchive(
                installation.get().classArchives(), NodeCommandLine.serverJars(spec.serverLib())));
  }

  /** JVM options that write an archive at an orderly exit, of a process that lives for seconds. */
  static List<String> recordingOptions(Path file) {
    return List.of("-XX:ArchiveClassesAtExit=" + file, "-XX:TieredStopAtLevel=1");
  }

  /** JVM options that use the archive; empty if there is none. */
  List<String> options() throws IOException {
    Optional<Path> file = file();
    return file.isEmpty() || file.get().endsWith(prefix + 0 + SUFFIX)
        ? List.of()
        : List.of(
            "-XX:SharedArchiveFile=" + file.get(),
            "-XX:+VerifySharedSpaces",
            // an archive that does not fit is no news to whoever reads why a node did not start
            "-Xlog:cds*=off");
  }

  /**
   * Has the archive made if there is none and no other process is making it. Where none can be
   * written, starts are merely dearer, so that is no error.
   */
  void makeOnce(Maker maker) throws IOException {
    if (file().isPresent() || !isWritable()) {
      return;
    }
    try (FileChannel channel =
            FileChannel.open(
                directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock != null && file().isEmpty()) {
        make(maker);
      }
    } catch (OverlappingFileLockException beingMade) {
      return;
    }
  }

  private void make(Maker maker) throws IOException {
    Path next = directory.resolve("next");
    Files.deleteIfExists(next);
    if (!maker.make(next)) {
      return;
    }
    if (!Files.exists(next)) {
      Files.createFile(next);
    }
    for (Path old : files("server-")) {
      Files.deleteIfExists(old);
    }
    Files.move(
        next,
        directory.resolve(prefix + Files.size(next) + SUFFIX),
        StandardCopyOption.ATOMIC_MOVE);
  }

  private boolean isWritable() {
    try {
      Files.createDirectories(directory);
    } catch (IOException readOnly) {
      return false;
    }
    return Files.isWritable(directory);
  }

  private Optional<Path> file() throws IOException {
    for (Path file : files(prefix)) {
      // 0 also for a file that another process has just replaced
      if (file.endsWith(prefix + file.toFile().length() + SUFFIX)) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }

  private List<Path> files(String start) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(start))
          .filter(file -> file.toString().endsWith(SUFFIX))
          .toList();
    }
  }

  private static String digest(List<Path> jars) throws IOException {
    StringBuilder identity =
        new StringBuilder(System.getProperty("java.home") + System.getProperty("java.vm.version"));
    for (Path jar : jars) {
      identity
          .append('\n')
          .append(jar)
          .append(' ')
          .append(Files.size(jar))
          .append(' ')
          .append(Files.getLastModifiedTime(jar).toMillis());
    }
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(identity.toString().getBytes(UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, DIGEST_CHARACTERS);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
