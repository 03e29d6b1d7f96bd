package io.counterpart.cluster.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.process.ProcessIdentity;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Redis servers for the engine {@code redis}.
 *
 * <p>A server reads no configuration of the system's, syncs every write, and asks for a random
 * password, which only the user that starts it can read.
 */
final class RedisServer implements ServerKind {
  private static final String ADVICE =
      "the Debian package redis-server (scripts/bootstrap --test installs it)";

  /** Valkey is the same to us. */
  private static final List<String> PROGRAMS = List.of("redis-server", "valkey-server");

  private static final Path SETSID = Path.of("/usr/bin/setsid");

  /** A keyspace has one, and one is the list of them. */
  private static final int DATABASES = 64;

  /** A start reads all data. */
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private static final int POLL_MILLIS = 20;
  private static final int ANSWER_MILLIS = 1000;
  private static final int LOG_LINES = 8;

  @Override
  public String engine() {
    return "redis";
  }

  @Override
  public Optional<String> missing() {
    return program().isPresent() ? Optional.empty() : Optional.of(ADVICE);
  }

  private static Optional<Path> program() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
    return PROGRAMS.stream()
        .flatMap(
            program -> Stream.of(path.split(File.pathSeparator)).map(in -> Path.of(in, program)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  @Override
  public Map<String, String> parameters(ServerPlace place) {
    return Map.of("url", "redis://" + place, "password_file", passwordFile(place).toString());
  }

  private static Path passwordFile(ServerPlace place) {
    return place.directory().resolve("password");
  }

  private static Path configuration(ServerPlace place) {
    return place.directory().resolve("redis.conf");
  }

  private static Path log(ServerPlace place) {
    return place.directory().resolve("redis.log");
  }

  @Override
  public String argument(ServerPlace place) {
    return configuration(place).toString();
  }

  @Override
  public ProcessIdentity start(ServerPlace place) throws IOException {
    Path program = program().orElseThrow(() -> failed(place, "missing: " + ADVICE));
    Files.createDirectories(place.directory().resolve("data"));
    String password = password(place);
    writePrivate(configuration(place), settings(place, password));
    Files.deleteIfExists(log(place));
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(SETSID)) {
      // a Ctrl-C that is meant for this JVM is not the server's
      command.add(SETSID.toString());
    }
    command.addAll(List.of(program.toString(), argument(place)));
    Process process =
        new ProcessBuilder(command)
            .directory(place.directory().toFile())
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(place.directory().resolve("console.log").toFile())
            .start();
    ProcessIdentity identity =
        ProcessIdentity.of(process.pid()).orElseThrow(() -> failed(place, "it ended at once"));
    try {
      awaitAnswer(place, password, identity);
      return identity;
    } catch (RuntimeException e) {
      identity.kill();
      throw e;
    }
  }

  private static String password(ServerPlace place) throws IOException {
    if (!Files.exists(passwordFile(place))) {
      byte[] random = new byte[16];
      new SecureRandom().nextBytes(random);
      writePrivate(passwordFile(place), HexFormat.of().formatHex(random) + "\n");
    }
    return Files.readString(passwordFile(place), UTF_8).strip();
  }

  private static String settings(ServerPlace place, String password) {
    return """
        bind %s
        port %d
        dir "%s"
        logfile "%s"
        requirepass %s
        databases %d
        appendonly yes
        appendfsync always
        no-appendfsync-on-rewrite no
        maxmemory-policy noeviction
        save ""
        daemonize no
        set-proc-title no
        """
        .formatted(
            place.address(),
            place.port(),
            place.directory().resolve("data"),
            log(place),
            password,
            DATABASES);
  }

  private static void writePrivate(Path file, String text) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, text, UTF_8);
  }

  private static void awaitAnswer(ServerPlace place, String password, ProcessIdentity process) {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (!answers(place, password)) {
      if (!process.isAlive()) {
        throw failed(place, "it ended: " + end(place));
      }
      if (System.nanoTime() - deadline > 0) {
        throw failed(
            place, "no answer for %d s: %s".formatted(START_LIMIT.toSeconds(), end(place)));
      }
      ProcessIdentity.pause(POLL_MILLIS);
    }
  }

  /** Also whether it is ours: another one on the port does not know the password. */
  private static boolean answers(ServerPlace place, String password) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(place.address(), place.port()), ANSWER_MILLIS);
      socket.setSoTimeout(ANSWER_MILLIS);
      socket.getOutputStream().write("AUTH %s\r\nPING\r\n".formatted(password).getBytes(UTF_8));
      BufferedReader answers =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      return "+OK".equals(answers.readLine()) && "+PONG".equals(answers.readLine());
    } catch (IOException notYet) {
      return false;
    }
  }

  private static ServerStartException failed(ServerPlace place, String why) {
    return new ServerStartException("Redis on " + place, why);
  }

  /** The last lines of the log, or of what it said before it had one. */
  private static String end(ServerPlace place) {
    Path console = place.directory().resolve("console.log");
    Path log = Files.exists(log(place)) ? log(place) : console;
    try {
      List<String> lines = Files.readAllLines(log, UTF_8);
      return String.join(" | ", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()))
          + " (log: "
          + log
          + ")";
    } catch (IOException e) {
      return "no log " + log;
    }
  }
}
