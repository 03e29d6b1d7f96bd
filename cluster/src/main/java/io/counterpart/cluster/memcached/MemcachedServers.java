package io.counterpart.cluster.memcached;

import io.counterpart.cluster.Check;
import io.counterpart.cluster.Ports;
import io.counterpart.cluster.PreflightException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Memcached servers that were started together, on neighbouring ports. The JVM that starts them
 * owns them: they end with it, also on Ctrl-C; only if it is killed by SIGKILL do they stay.
 * Reading is thread-safe.
 */
public final class MemcachedServers implements AutoCloseable {

  private static final int MIN_PORT = 1024;
  private static final int MAX_PORT = 65_535;

  private final MemcachedSpec spec;
  private final MemcachedProgram program;
  private final List<MemcachedServer> servers = new CopyOnWriteArrayList<>();
  private final Thread exitHook = new Thread(this::killOnExit, "kill-memcached");
  private volatile boolean exiting;
  private volatile boolean closed;

  private MemcachedServers(MemcachedSpec spec, MemcachedProgram program) {
    this.spec = spec;
    this.program = program;
  }

  /**
   * Starts servers, all at once; returns when every one answers.
   *
   * @param directory where logs go; created if need be
   * @param firstPort port of the first server; the others have the ports after it
   * @param count servers, at least 1; all ports in 1024..65535
   * @throws PreflightException if memcached is missing or a port in use; nothing was touched
   * @throws MemcachedStartException as soon as one's process ends; the others are stopped
   */
  public static MemcachedServers start(
      MemcachedSpec spec, Path directory, int firstPort, int count) {
    if (count < 1) {
      throw new IllegalArgumentException("servers are " + count + ", not 1 or more");
    }
    if (firstPort < MIN_PORT || firstPort > MAX_PORT + 1 - count) {
      throw new IllegalArgumentException(
          "first port of %d servers is %d, not in %d..%d"
              .formatted(count, firstPort, MIN_PORT, MAX_PORT + 1 - count));
    }
    MemcachedServers started = new MemcachedServers(spec, preflight(spec, firstPort, count));
    started.create(directory.toAbsolutePath(), firstPort, count);
    try {
      started.servers.forEach(MemcachedServer::launch);
      Answers.await(started.servers);
    } catch (RuntimeException | Error failure) {
      started.servers.forEach(MemcachedServer::kill);
      started.close();
      throw failure;
    }
    return started;
  }

  /** Every server, dead ones too, by port. */
  public List<MemcachedServer> servers() {
    return List.copyOf(servers);
  }

  /** What each server is. */
  public MemcachedSpec spec() {
    return spec;
  }

  /**
   * Stops every server; returns when no process is left. They cannot be started again. Their logs
   * stay.
   */
  @Override
  public void close() {
    closed = true;
    long deadline = System.nanoTime() + MemcachedServer.STOP_LIMIT.toNanos();
    servers.forEach(MemcachedServer::terminate);
    servers.forEach(server -> server.awaitStopped(Duration.ofNanos(deadline - System.nanoTime())));
    try {
      Runtime.getRuntime().removeShutdownHook(exitHook);
    } catch (IllegalStateException alreadyExiting) {
      // the hook runs already and does the same work
      return;
    }
  }

  List<String> command(int port) {
    return spec.command(program, port);
  }

  boolean isExiting() {
    return exiting;
  }

  void requireOpen() {
    if (closed) {
      throw new IllegalStateException("these memcached servers are closed");
    }
  }

  private static MemcachedProgram preflight(MemcachedSpec spec, int firstPort, int count) {
    Optional<MemcachedProgram> program = MemcachedProgram.find(spec.program());
    String taken =
        IntStream.range(firstPort, firstPort + count)
            .filter(port -> !Ports.isFree(MemcachedSpec.ADDRESS, port))
            .mapToObj(port -> MemcachedSpec.ADDRESS + ":" + port)
            .collect(Collectors.joining(", "));
    Check found =
        new Check(
            "memcached",
            program.isPresent(),
            spec.program() + " is no program in " + MemcachedProgram.searchPath(),
            MemcachedProgram.ADVICE);
    Check ports = new Check("ports", taken.isEmpty(), "in use: " + taken, "free ports");
    if (program.isEmpty() || !ports.passed()) {
      throw new PreflightException(
          List.of(found, ports).stream().filter(check -> !check.passed()).toList());
    }
    return program.get();
  }

  private void create(Path directory, int firstPort, int count) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create " + directory, e);
    }
    for (int port = firstPort; port < firstPort + count; port++) {
      servers.add(new MemcachedServer(this, port, directory));
    }
    Runtime.getRuntime().addShutdownHook(exitHook);
  }

  private void killOnExit() {
    exiting = true;
    servers.forEach(MemcachedServer::abandon);
  }
}
