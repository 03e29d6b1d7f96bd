package io.counterpart.cache.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.counterpart.process.ProcessIdentity;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A real memcached on loopback, empty, for as long as a test needs it. */
public final class MemcachedProcess implements AutoCloseable {

  private static final String MISSING =
      "SKIPPED, because memcached is not installed (apt install memcached)";

  private static final int READ_TIMEOUT_MILLIS = 20_000;

  private final Process process;
  private final int port;

  private MemcachedProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts a memcached that answers each request before it reads the next. Skips the test, with a
   * message, where memcached is not installed.
   *
   * @param options of the command line, beside those for that
   */
  public static MemcachedProcess start(String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of("-R", "1"));
    all.addAll(List.of(options));
    return start(freePort(), all.toArray(new String[0]));
  }

  /** Starts a memcached on a port, with options; skips as {@link #start(String...)} does. */
  public static MemcachedProcess start(int port, String... options) throws IOException {
    Optional<Path> program =
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
            .map(folder -> Path.of(folder, "memcached"))
            .filter(path -> path.toFile().canExecute())
            .findFirst();
    if (program.isEmpty()) {
      System.err.println(MISSING);
    }
    assumeTrue(program.isPresent(), MISSING);
    List<String> command = new ArrayList<>();
    command.add(program.get().toString());
    // -u is ignored unless root starts it, and then refused without
    command.addAll(List.of("-u", "nobody", "-l", "127.0.0.1", "-U", "0", "-t", "1"));
    command.addAll(List.of("-p", Integer.toString(port)));
    command.addAll(List.of(options));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    MemcachedProcess started = new MemcachedProcess(process, port);
    Awaitility.await("memcached listens")
        .pollInterval(Duration.ofMillis(10))
        .atMost(Duration.ofSeconds(40))
        .until(started::listens);
    return started;
  }

  /** See {@link FreePorts#next}. */
  public static int freePort() {
    return FreePorts.next();
  }

  /** SIGSTOP; returns once no thread of it runs. */
  public void pause() {
    identity().pause();
  }

  /** SIGCONT; returns once it runs. */
  public void resume() {
    identity().resume();
  }

  private ProcessIdentity identity() {
    return ProcessIdentity.of(process.pid()).orElseThrow();
  }

  private boolean listens() {
    assertThat(process.isAlive()).as("memcached runs").isTrue();
    try (Socket probe = connect()) {
      return probe.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Port on 127.0.0.1. */
  public int port() {
    return port;
  }

  Socket connect() throws IOException {
    return connect(port);
  }

  private static Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(READ_TIMEOUT_MILLIS);
    return socket;
  }

  /** Sends the bytes on a separate connection, ends it, and returns all answers. */
  public byte[] answers(byte[] bytes) {
    return answers(port, bytes);
  }

  /** As {@link #answers(byte[])}, for any listener on a port. */
  public static byte[] answers(int port, byte[] bytes) {
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    try (Socket socket = connect(port)) {
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      InputStream in = socket.getInputStream();
      byte[] buffer = new byte[16384];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        received.write(buffer, 0, read);
      }
    } catch (SocketException e) {
      // it closed without reading all that was sent
      return received.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException("no answer to " + bytes.length + " bytes", e);
    }
    return received.toByteArray();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      assertThat(process.waitFor(40, TimeUnit.SECONDS)).as("memcached ended").isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
