package io.counterpart.lab.live;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.Sample;
import io.counterpart.lab.run.ArmServers;
import io.counterpart.lab.run.RunListener;
import io.counterpart.lab.run.RunOutline;
import io.counterpart.lab.setup.Progress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A page on 127.0.0.1 that shows a run in progress: progress, the measures of its samples over
 * time, blocks, and the ring with its roles or the servers of the memory tier. The page is
 * read-only.
 *
 * <p>An event costs the run one entry in a list; the readers' threads do the rendering.
 * Thread-safe.
 */
public final class LivePage implements RunListener, AutoCloseable {
  private static final Duration STUCK = Duration.ofSeconds(10);
  private static final Duration FAREWELL = Duration.ofSeconds(10);
  private static final String THREAD = "live-page-";

  private final EventLog log = new EventLog();
  private final AtomicLong done = new AtomicLong();
  private final Map<String, ArmServers> servers = new ConcurrentHashMap<>();
  private final Assets assets = new Assets();
  private final EventStream stream;
  private final HttpServer server;
  private final ExecutorService threads;
  private final ScheduledExecutorService timer;

  /** How it ended. */
  private record Finished(long checked, long lost, long wrong, long unread, long seconds) {}

  private LivePage(HttpServer server, Duration stuck) {
    this.server = server;
    ThreadFactory daemons = daemons();
    threads = Executors.newCachedThreadPool(daemons);
    timer = Executors.newSingleThreadScheduledExecutor(daemons);
    stream = new EventStream(log, done::get, stuck, timer);
    server.setExecutor(threads);
    server.createContext("/", this::route).getFilters().add(new LocalReaders());
  }

  /**
   * Serves the page until closed.
   *
   * @param port on 127.0.0.1, 0 to 65535; 0 takes any that is free
   * @throws IOException if the port is in use
   * @throws IllegalArgumentException if there is no such port
   */
  public static LivePage open(int port) throws IOException {
    return open(port, STUCK);
  }

  static LivePage open(int port, Duration stuck) throws IOException {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port %d: must be from 0 to 65535".formatted(port));
    }
    InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    HttpServer server;
    try {
      server = HttpServer.create(new InetSocketAddress(loopback, port), 0);
    } catch (IOException e) {
      throw new IOException(
          "port %d of 127.0.0.1, for the live page: %s".formatted(port, e.getMessage()), e);
    }
    LivePage page = new LivePage(server, stuck);
    server.start();
    return page;
  }

  /** Where a browser on this machine finds it. */
  public URI address() {
    return URI.create("http://127.0.0.1:%d/".formatted(server.getAddress().getPort()));
  }

  /** Shows the page's readers too what another is told. */
  public Progress with(Progress other) {
    return new LiveProgress(other, log, done);
  }

  int readers() {
    return stream.readers();
  }

  @Override
  public void started(RunOutline outline) {
    log.add("started", outline);
  }

  /** Tells readers if anything is different from what they have seen of the arm. */
  @Override
  public void served(ArmServers now) {
    if (!now.equals(servers.put(now.arm(), now))) {
      log.add("servers", now);
    }
  }

  @Override
  public void sampled(Sample sample) {
    log.add("sample", sample);
  }

  @Override
  public void measured(BlockResult block) {
    log.add("block", block);
  }

  @Override
  public void finished(LabResult result) {
    log.add(
        "finished",
        new Finished(
            result.checked(), result.lost(), result.wrong(), result.unread(), result.seconds()));
  }

  /** Sends readers what they have not got yet, for at most ten seconds, then ends every thread. */
  @Override
  public void close() {
    boolean interrupted = false;
    log.end();
    try {
      stream.awaitEnd(FAREWELL);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    server.stop(0);
    threads.shutdownNow();
    timer.shutdownNow();
    try {
      threads.awaitTermination(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void route(HttpExchange exchange) throws IOException {
    if (exchange.getRequestURI().getPath().equals("/events")) {
      stream.handle(exchange);
    } else {
      assets.handle(exchange);
    }
  }

  private static ThreadFactory daemons() {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, THREAD + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
