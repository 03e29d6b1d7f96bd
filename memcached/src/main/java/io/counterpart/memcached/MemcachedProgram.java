package io.counterpart.memcached;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The installed memcached.
 *
 * @param file the program's absolute path
 */
public record MemcachedProgram(Path file) {

  /** Advice where memcached is missing. */
  public static final String ADVICE = "the Debian package memcached (apt-get install memcached)";

  private static final String VERSION_PREFIX = "memcached ";

  /**
   * Looks for an executable file.
   *
   * @param program a name, looked up in PATH, or a path
   */
  public static Optional<MemcachedProgram> find(String program) {
    Stream<Path> candidates =
        program.contains("/")
            ? Stream.of(Path.of(program))
            : Stream.of(searchPath().split(File.pathSeparator))
                .map(directory -> Path.of(directory, program));
    return candidates
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .map(file -> new MemcachedProgram(file.toAbsolutePath()))
        .findFirst();
  }

  /** The search path for names: the environment's PATH. */
  static String searchPath() {
    return Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
  }

  /**
   * The version that the program reports, such as 1.6.18.
   *
   * @throws UncheckedIOException if it cannot be run or reports something else
   */
  public String version() {
    try {
      Process process = new ProcessBuilder(file.toString(), "-V").redirectErrorStream(true).start();
      process.getOutputStream().close();
      String answer = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
      if (!answer.startsWith(VERSION_PREFIX)) {
        throw new IOException(file + " -V says '" + answer + "', not its version");
      }
      return answer.substring(VERSION_PREFIX.length());
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }
}
