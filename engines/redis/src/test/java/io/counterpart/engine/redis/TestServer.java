package io.counterpart.engine.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.counterpart.process.ProcessIdentity;
import io.counterpart.process.TcpPort;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** A redis-server on loopback with a directory of its own, durable unless it is told otherwise. */
final class TestServer implements AutoCloseable {
  static final String ADDRESS = "127.0.0.1";
  private static final List<String> DURABLE =
      List.of("--appendonly", "yes", "--appendfsync", "always", "--save", "");

  private final Path directory;
  private final List<String> settings;
  private final int port;
  private @Nullable Process process;

  private TestServer(Path directory, List<String> settings, int port) {
    this.directory = directory;
    this.settings = settings;
    this.port = port;
  }

  /** Starts one; where there is no redis-server, says so and skips the test. */
  static TestServer start(Path directory, String... settings) throws IOException {
    List<String> all = new ArrayList<>(DURABLE);
    all.addAll(List.of(settings));
    TestServer server =
        new TestServer(Files.createDirectories(directory), all, TcpPort.anyFree(ADDRESS));
    server.start();
    return server;
  }

  static void requireInstalled() {
    boolean found =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(each -> Files.isExecutable(Path.of(each, "redis-server")));
    if (!found) {
      System.err.println("SKIPPED: no redis-server is installed (apt-get install redis-server)");
    }
    Assumptions.assumeTrue(found, "no redis-server is installed");
  }

  void start() throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("redis-server", "--port", Integer.toString(port), "--bind", ADDRESS));
    command.addAll(List.of("--dir", directory.toString(), "--daemonize", "no"));
    command.addAll(settings);
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
            .start();
    await()
        .atMost(Duration.ofSeconds(40))
        .until(() -> command("PING").matches("\\+PONG|-NOAUTH.*"));
  }

  String url() {
    return "redis://" + ADDRESS + ":" + port;
  }

  /** The first line of the answer to a command on a connection of its own. */
  String command(String line) {
    try (Socket socket = new Socket(ADDRESS, port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write((line + "\r\n").getBytes(UTF_8));
      return String.valueOf(
          new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)).readLine());
    } catch (IOException notYet) {
      return "";
    }
  }

  void kill() throws InterruptedException {
    if (process != null) {
      process.destroyForcibly();
      process.waitFor(20, TimeUnit.SECONDS);
      process = null;
    }
  }

  /** Whether it has ended by itself. */
  boolean hasEnded() {
    return process != null && !process.isAlive();
  }

  void pause() {
    identity().pause();
  }

  void resume() {
    identity().resume();
  }

  private ProcessIdentity identity() {
    if (process == null) {
      throw new IllegalStateException("the server does not run");
    }
    return ProcessIdentity.of(process.pid()).orElseThrow();
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
