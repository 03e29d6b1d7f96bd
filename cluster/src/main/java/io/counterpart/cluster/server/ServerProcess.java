package io.counterpart.cluster.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.process.ProcessIdentity;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * What every kind of server does alike in its place: a program that is looked for, a password, a
 * process that is started and waited for, a log whose end says why it is not there.
 *
 * @param name for messages
 * @param log where the server tells what it does; its console is a file of its own
 */
record ServerProcess(String name, ServerPlace place, Path log) {
  private static final Path SETSID = Path.of("/usr/bin/setsid");
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final int LOG_LINES = 8;
  private static final int PASSWORD_BYTES = 16;

  /** The first program of some names in PATH, or in further folders. */
  static Optional<Path> program(List<String> names, List<String> moreFolders) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
    List<String> folders =
        Stream.concat(Stream.of(path.split(File.pathSeparator)), moreFolders.stream()).toList();
    return names.stream()
        .flatMap(name -> folders.stream().map(folder -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Where the password is, readable by the user that started the server. */
  static Path passwordFile(ServerPlace place) {
    return place.directory().resolve("password");
  }

  /** The password, random and made if there is none. */
  static String password(ServerPlace place) throws IOException {
    Path file = passwordFile(place);
    // an empty one was cut off: the disk was full, or the power went
    if (!Files.exists(file) || Files.readString(file, UTF_8).isBlank()) {
      byte[] random = new byte[PASSWORD_BYTES];
      new SecureRandom().nextBytes(random);
      Path next = file.resolveSibling("password.next");
      writePrivate(next, HexFormat.of().formatHex(random) + "\n");
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
    return Files.readString(file, UTF_8).strip();
  }

  /** Writes a file that nobody else reads. */
  static void writePrivate(Path file, String text) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    // also after a power loss: the server has synced what it knows of a password
    Files.writeString(file, text, UTF_8, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
  }

  /**
   * Runs a program in the place, its output in a file. Temporary files are in the place too: at its
   * start, MariaDB deletes those that it finds, whoever's they are.
   */
  Process run(List<String> command, Path output) throws IOException {
    Path temporary = Files.createDirectories(place.directory().resolve("tmp"));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(place.directory().toFile())
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("TMPDIR", temporary.toString());
    return builder.start();
  }

  /**
   * Starts the server; returns when it answers.
   *
   * @throws ServerStartException if it ends or does not answer; no process is left
   */
  ProcessIdentity start(List<String> command, BooleanSupplier answers, int pollMillis)
      throws IOException {
    Files.deleteIfExists(log);
    List<String> detached = new ArrayList<>();
    if (Files.isExecutable(SETSID)) {
      // a Ctrl-C that is meant for this JVM is not the server's
      detached.add(SETSID.toString());
    }
    detached.addAll(command);
    Process process = run(detached, console());
    ProcessIdentity identity =
        ProcessIdentity.of(process.pid()).orElseThrow(() -> failed("it ended at once"));
    try {
      await(identity, answers, pollMillis);
      return identity;
    } catch (RuntimeException e) {
      identity.kill();
      throw e;
    }
  }

  private Path console() {
    return place.directory().resolve("console.log");
  }

  private void await(ProcessIdentity process, BooleanSupplier answers, int pollMillis) {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (!answers.getAsBoolean()) {
      if (!process.isAlive()) {
        throw failed("it ended: " + end(log));
      }
      if (System.nanoTime() - deadline > 0) {
        throw failed("no answer for %d s: %s".formatted(START_LIMIT.toSeconds(), end(log)));
      }
      ProcessIdentity.pause(pollMillis);
    }
  }

  ServerStartException failed(String why) {
    return new ServerStartException(name + " on " + place, why);
  }

  /**
   * The errors of a log in one line, or its last lines where it names none; or those of what the
   * server said before it had one.
   */
  String end(Path file) {
    Path told = Files.exists(file) ? file : console();
    try {
      List<String> all = Files.readAllLines(told, UTF_8);
      List<String> errors = all.stream().filter(line -> line.contains("ERROR")).toList();
      List<String> lines = errors.isEmpty() ? all : errors;
      return String.join(" | ", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()))
          + " (log: "
          + told
          + ")";
    } catch (IOException e) {
      return "no log " + told;
    }
  }
}
