package io.counterpart.cluster.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.process.ProcessIdentity;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Redis servers for the engine {@code redis}.
 *
 * <p>A server reads no configuration of the system's, syncs every write, and asks for a random
 * password, which only the user that starts it can read.
 */
final class RedisServer implements ServerKind {
  private static final String ADVICE =
      "the Debian package redis-server (up --install, or scripts/bootstrap --engine redis)";

  /** Valkey is the same to us. */
  private static final List<String> PROGRAMS = List.of("redis-server", "valkey-server");

  /** A keyspace has one, and one is the list of them. */
  private static final int DATABASES = 64;

  private static final int POLL_MILLIS = 20;
  private static final int ANSWER_MILLIS = 1000;

  @Override
  public String engine() {
    return "redis";
  }

  @Override
  public Optional<String> missing() {
    return program().isPresent() ? Optional.empty() : Optional.of(ADVICE);
  }

  private static Optional<Path> program() {
    return ServerProcess.program(PROGRAMS, List.of());
  }

  @Override
  public Map<String, String> parameters(ServerPlace place) {
    return Map.of(
        "url", "redis://" + place, "password_file", ServerProcess.passwordFile(place).toString());
  }

  private static Path configuration(ServerPlace place) {
    return place.directory().resolve("redis.conf");
  }

  private static Path log(ServerPlace place) {
    return place.directory().resolve("redis.log");
  }

  @Override
  public List<String> programs() {
    return PROGRAMS;
  }

  @Override
  public String argument(ServerPlace place) {
    return configuration(place).toString();
  }

  @Override
  public ProcessIdentity start(ServerPlace place) throws IOException {
    ServerProcess server = new ServerProcess("Redis", place, log(place));
    Path program = program().orElseThrow(() -> server.failed("missing: " + ADVICE));
    Files.createDirectories(place.directory().resolve("data"));
    String password = ServerProcess.password(place);
    ServerProcess.writePrivate(configuration(place), settings(place, password));
    // a start reads all data
    return server.start(
        List.of(program.toString(), argument(place)), () -> answers(place, password), POLL_MILLIS);
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
}
