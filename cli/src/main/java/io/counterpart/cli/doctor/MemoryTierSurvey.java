package io.counterpart.cli.doctor;

import io.counterpart.memcached.MemcachedProgram;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Looks for the memory tier's programs and libraries. A missing one is a warning, since Cassandra
 * does without it.
 *
 * @param program memcached's name or path
 * @param libraryPath directories that the JVM loads libraries from, as in {@code java.library.path}
 * @param linkerCache the list of libraries that the dynamic linker keeps
 */
record MemoryTierSurvey(String program, String libraryPath, Path linkerCache) {

  private static final String LIBRARY = "libisal.so.2";
  private static final Pattern CACHED = Pattern.compile("/[^\\x00]*/libisal\\.so\\.2(?=\\x00)");

  /** Of the machine as it is. */
  static MemoryTierSurvey ofThisMachine() {
    return new MemoryTierSurvey(
        "memcached", System.getProperty("java.library.path", ""), Path.of("/etc/ld.so.cache"));
  }

  List<Finding> findings() {
    return List.of(memcached(), libisal());
  }

  private Finding memcached() {
    Optional<MemcachedProgram> found = MemcachedProgram.find(program);
    if (found.isEmpty()) {
      return Finding.warning(
          "memcached", "not found", "only the memory tier needs it: " + MemcachedProgram.ADVICE);
    }
    try {
      return Finding.ok("memcached", found.get().version() + " (" + found.get().file() + ")");
    } catch (UncheckedIOException broken) {
      return Finding.warning(
          "memcached",
          String.valueOf(broken.getMessage()),
          "only the memory tier needs it: " + MemcachedProgram.ADVICE);
    }
  }

  private Finding libisal() {
    return library()
        .map(file -> Finding.ok("libisal", file.toString()))
        .orElseGet(
            () ->
                Finding.warning(
                    "libisal",
                    LIBRARY + " not found, the pure Java coder will be used",
                    "a much faster one: the Debian package libisal2 (apt-get install libisal2)"));
  }

  private Optional<Path> library() {
    Stream<Path> ofJvm =
        Stream.of(libraryPath.split(File.pathSeparator))
            .map(directory -> Path.of(directory, LIBRARY));
    return Stream.concat(ofJvm, cached()).filter(Files::isRegularFile).findFirst();
  }

  // the cache is binary, and holds each library's path as text between zeros
  private Stream<Path> cached() {
    try {
      String content = Files.readString(linkerCache, StandardCharsets.ISO_8859_1);
      return CACHED.matcher(content).results().map(MatchResult::group).map(Path::of);
    } catch (IOException noCache) {
      return Stream.empty();
    }
  }
}
