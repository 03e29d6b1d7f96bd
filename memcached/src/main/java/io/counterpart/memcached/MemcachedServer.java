package io.counterpart.memcached;

import io.counterpart.process.ProcessIdentity;
import io.counterpart.process.TcpPort;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One memcached server on 127.0.0.1: its process and its port, which it keeps over restarts.
 * Reading is thread-safe; changes of one server must not overlap.
 */
public final class MemcachedServer {

  static final Duration STOP_LIMIT = Duration.ofSeconds(3);

  private static final Duration KILL_LIMIT = Duration.ofSeconds(30);
  private static final int CAUSE_LINES = 3;

  private final MemcachedServers owner;
  private final int port;
  private final Path directory;
  private volatile @Nullable Process process;

  MemcachedServer(MemcachedServers owner, int port, Path directory) {
    this.owner = owner;
    this.port = port;
    this.directory = directory;
  }

  /** TCP port on 127.0.0.1. */
  public int port() {
    return port;
  }

  /** Process id of the running or last process; 0 if there was none. */
  public long pid() {
    Process current = process;
    return current == null ? 0 : current.pid();
  }

  /** The identity of the running process; empty if it does not run. */
  public Optional<ProcessIdentity> identity() {
    return isAlive() ? ProcessIdentity.of(pid()) : Optional.empty();
  }

  /** Processor time of the running process so far; 0 if it does not run. */
  public Duration cpuTime() {
    return identity().flatMap(ProcessIdentity::cpuTime).orElse(Duration.ZERO);
  }

  /** Whether the process runs; a paused one does. */
  public boolean isAlive() {
    Process current = process;
    return current != null && current.isAlive();
  }

  /** The log of the process since its last start. */
  public Path logFile() {
    return directory.resolve("memcached-" + port + ".log");
  }

  /**
   * Starts a dead server on its port. It is empty, or has the items that {@link #stopWarm} has
   * kept; then the start waits as long as {@link ItemFiles} demands. Returns when the server
   * answers.
   *
   * @throws MemcachedStartException if it does not come up; no process is left
   * @throws IllegalStateException if it runs, or was closed with its fellows
   */
  public void start() {
    if (isAlive()) {
      throw new IllegalStateException(this + " already runs");
    }
    launch();
    try {
      Answers.await(List.of(this));
    } catch (RuntimeException failure) {
      kill();
      throw failure;
    }
  }

  /** SIGTERM, and SIGKILL if that takes over 3 s; returns when the process is gone. */
  public void stop() {
    terminate();
    awaitStopped(STOP_LIMIT);
  }

  /**
   * Stops it by SIGUSR1, which keeps its items for the next start; returns when the process is
   * gone.
   *
   * @throws IllegalStateException if it does not run, has nowhere to keep items, or does not end
   *     within 30 s
   */
  public void stopWarm() {
    if (owner.spec().itemFiles() == null) {
      throw new IllegalStateException(this + " has no file for its items");
    }
    Process current = process;
    signal("USR1");
    if (current != null && !awaitExit(current, KILL_LIMIT)) {
      throw new IllegalStateException(
          this + " has not ended " + KILL_LIMIT.toSeconds() + " s after SIGUSR1");
    }
  }

  /** SIGKILL; returns when the process is gone. A dead server is left as it is. */
  public void kill() {
    Process current = process;
    if (current != null) {
      current.destroyForcibly();
      if (!awaitExit(current, KILL_LIMIT)) {
        throw new IllegalStateException(
            this + " survives SIGKILL for " + KILL_LIMIT.toSeconds() + " s");
      }
    }
  }

  /**
   * SIGSTOP: the process keeps its memory and connections, and answers nothing until {@link
   * #resume}; returns once no thread of it runs. {@link #kill} works on it too.
   *
   * @throws IllegalStateException if it does not run
   */
  public void pause() {
    running().pause();
  }

  /**
   * SIGCONT: the paused process goes on.
   *
   * @throws IllegalStateException if it does not run
   */
  public void resume() {
    running().resume();
  }

  @Override
  public String toString() {
    return "memcached on " + MemcachedSpec.ADDRESS + ":" + port;
  }

  void launch() {
    owner.requireOpen();
    if (!TcpPort.isFree(MemcachedSpec.ADDRESS, port)) {
      throw failed("the port is in use");
    }
    awaitItems();
    try {
      process =
          new ProcessBuilder(owner.command(port))
              .directory(directory.toFile())
              .redirectInput(new File("/dev/null"))
              .redirectErrorStream(true)
              .redirectOutput(logFile().toFile())
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot launch " + this + ": " + e.getMessage(), e);
    }
    if (owner.isExiting()) {
      // the exit hook may have passed this server before its process existed
      kill();
      throw new CancellationException("this JVM is exiting");
    }
  }

  private void awaitItems() {
    ItemFiles files = owner.spec().itemFiles();
    if (files != null) {
      try {
        Thread.sleep(files.waiting(List.of(port), Instant.now()).toMillis());
      } catch (InterruptedException e) {
        throw interrupted();
      }
    }
  }

  /** The exception of a failed start. */
  MemcachedStartException failed(String cause) {
    return new MemcachedStartException(port, cause, logFile());
  }

  /** The end of the process's log. */
  String lastWords() {
    try {
      List<String> lines =
          Files.readAllLines(logFile(), StandardCharsets.ISO_8859_1).stream()
              .filter(line -> !line.isBlank())
              .toList();
      return lines.isEmpty()
          ? "its process ended without a message"
          : String.join("; ", lines.subList(Math.max(0, lines.size() - CAUSE_LINES), lines.size()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + logFile(), e);
    }
  }

  /** Asks the process to end; does not wait. */
  void terminate() {
    Process current = process;
    if (current != null) {
      current.destroy();
    }
  }

  void awaitStopped(Duration limit) {
    Process current = process;
    if (current != null && !awaitExit(current, limit)) {
      kill();
    }
  }

  /** SIGKILL without waiting, for the end of the JVM itself. */
  void abandon() {
    Process current = process;
    if (current != null) {
      current.destroyForcibly();
    }
  }

  private ProcessIdentity running() {
    return identity().orElseThrow(() -> new IllegalStateException(this + " does not run"));
  }

  private void signal(String name) {
    if (!isAlive()) {
      throw new IllegalStateException(this + " does not run");
    }
    try {
      Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid()).start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException(this + " cannot be sent SIG" + name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot send SIG" + name + " to " + this, e);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private static boolean awaitExit(Process process, Duration limit) {
    try {
      return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private static CancellationException interrupted() {
    Thread.currentThread().interrupt();
    return new CancellationException("interrupted while waiting for memcached");
  }
}
