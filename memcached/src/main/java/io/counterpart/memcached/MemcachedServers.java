package io.counterpart.memcached;

import io.counterpart.process.Check;
import io.counterpart.process.PreflightException;
import io.counterpart.process.TcpPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Memcached servers that were started together. The JVM that starts them owns them: they end with
 * it, also on Ctrl-C, unless {@link #detach} was called; if it is killed by SIGKILL they stay.
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
   * @param directory of the logs; created if it is missing
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
    return start(
        spec,
        directory,
        IntStream.range(firstPort, firstPort + count).boxed().toList(),
        server -> {});
  }

  /**
   * Starts servers, all at once; returns when every one answers.
   *
   * @param directory of the logs; created if it is missing
   * @param ports one of each server, in 1024..65535, at least one, each once
   * @param launched gets every server as soon as it has a process, before it answers
   * @throws PreflightException if memcached is missing or a port in use; nothing was touched
   * @throws MemcachedStartException as soon as one's process ends; the others are stopped
   */
  public static MemcachedServers start(
      MemcachedSpec spec, Path directory, List<Integer> ports, Consumer<MemcachedServer> launched) {
    if (ports.isEmpty()
        || ports.stream().anyMatch(port -> port < MIN_PORT || port > MAX_PORT)
        || ports.stream().distinct().count() < ports.size()) {
      throw new IllegalArgumentException(
          "ports are %s, not one or more in %d..%d, each once"
              .formatted(ports, MIN_PORT, MAX_PORT));
    }
    MemcachedServers started = new MemcachedServers(spec, preflight(spec, ports));
    started.create(directory.toAbsolutePath(), ports);
    try {
      for (MemcachedServer server : started.servers) {
        server.launch();
        launched.accept(server);
      }
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

  /** The specification of each server. */
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

  /**
   * Leaves the servers running when this JVM ends: from now on others have to stop them.
   *
   * @throws CancellationException if the JVM is about to end, and the servers with it
   */
  public void detach() {
    closed = true;
    try {
      Runtime.getRuntime().removeShutdownHook(exitHook);
    } catch (IllegalStateException alreadyExiting) {
      throw new CancellationException("this JVM is exiting");
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

  private static MemcachedProgram preflight(MemcachedSpec spec, List<Integer> portsNeeded) {
    Optional<MemcachedProgram> program = MemcachedProgram.find(spec.program());
    String taken =
        portsNeeded.stream()
            .filter(port -> !TcpPort.isFree(MemcachedSpec.ADDRESS, port))
            .map(port -> MemcachedSpec.ADDRESS + ":" + port)
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

  private void create(Path directory, List<Integer> ports) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create " + directory, e);
    }
    for (int port : ports) {
      servers.add(new MemcachedServer(this, port, directory));
    }
    Runtime.getRuntime().addShutdownHook(exitHook);
  }

  private void killOnExit() {
    exiting = true;
    servers.forEach(MemcachedServer::abandon);
  }
}
