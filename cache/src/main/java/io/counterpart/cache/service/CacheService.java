package io.counterpart.cache.service;

import io.counterpart.cache.backend.ConnectionSettings;
import io.counterpart.cache.backend.ServerConnection;
import io.counterpart.cache.proxy.ProxyServer;
import io.counterpart.cache.proxy.ProxyStatistics;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.ObjectTier;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A proxy that runs in this JVM, from its start until it is closed. Keeps nothing of its own: after
 * a kill the next one finds what the servers hold. Thread-safe.
 */
public final class CacheService implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(CacheService.class);
  private static final ConnectionSettings SETTINGS = ConnectionSettings.DEFAULT;
  private static final int SHUTDOWN_SECONDS = 2;

  private final EventLoopGroup loops;
  private final List<ServerWatch> links;
  private final Map<ServerId, ServerConnection> connections = new HashMap<>();
  private @Nullable ProxyServer proxy;
  private @Nullable HTTPServer metrics;

  private CacheService(List<ServerWatch> links) {
    this.links = links;
    loops = new NioEventLoopGroup(1, new DefaultThreadFactory("cache-proxy"));
  }

  /**
   * Starts a proxy; returns when clients can come. Servers that are not reached within a second do
   * not hold it up: their objects are unavailable until they are there.
   *
   * @throws IOException if an address cannot be listened on; nothing is left running
   */
  public static CacheService start(ServiceOptions options) throws IOException {
    CacheService service =
        new CacheService(options.servers().stream().map(ServerWatch::new).toList());
    try {
      service.open(options);
    } catch (IOException | RuntimeException | Error failure) {
      service.close();
      throw failure;
    }
    return service;
  }

  private void open(ServiceOptions options) throws IOException {
    EventLoop loop = loops.next();
    ObjectTier tier = onLoop(loop, () -> options.scheme().open(connect(loop)));
    awaitServers();
    ProxyServer listening = ProxyServer.listen(options.listen(), loop, tier, options.access());
    proxy = listening;
    InetSocketAddress metricsAddress = options.metrics();
    if (metricsAddress != null) {
      metrics = expose(metricsAddress, listening.statistics());
    }
  }

  private Map<ServerId, ServerConnection> connect(EventLoop loop) {
    for (ServerWatch link : links) {
      connections.put(
          new ServerId(link.server().toString()),
          new ServerConnection(link.server(), loop, SETTINGS, link));
    }
    return connections;
  }

  private void awaitServers() throws IOException {
    CompletableFuture<Void> all =
        CompletableFuture.allOf(
            links.stream().map(ServerWatch::firstConnected).toArray(CompletableFuture<?>[]::new));
    try {
      all.get(SETTINGS.connect().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException someAreDown) {
      links.stream()
          .filter(link -> !link.isConnected())
          .forEach(link -> logger.warn("server {} is not reached", link.server()));
    } catch (InterruptedException e) {
      throw interrupted();
    } catch (ExecutionException e) {
      throw new IllegalStateException("links are never failed", e);
    }
  }

  private HTTPServer expose(InetSocketAddress address, ProxyStatistics statistics)
      throws IOException {
    try {
      return HTTPServer.builder()
          .inetAddress(address.getAddress())
          .port(address.getPort())
          .registry(ServiceMetrics.of(statistics, links))
          .buildAndStart();
    } catch (IOException e) {
      throw new IOException("cannot tell metrics on %s: %s".formatted(address, e.getMessage()), e);
    }
  }

  private static <T> T onLoop(EventLoop loop, Callable<T> work) throws IOException {
    try {
      return loop.submit(work).get();
    } catch (InterruptedException e) {
      throw interrupted();
    } catch (ExecutionException e) {
      throw new IOException("cannot open the tier: " + e.getCause(), e);
    }
  }

  private static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted while starting");
  }

  /** Where clients reach it. */
  public InetSocketAddress address() {
    if (proxy == null) {
      throw new IllegalStateException("not started");
    }
    return proxy.address();
  }

  /** The port of the metrics; -1 if there are none. */
  public int metricsPort() {
    return metrics == null ? -1 : metrics.getPort();
  }

  /** Stops listening and ends every connection. */
  @Override
  public void close() {
    if (proxy != null) {
      proxy.close();
    }
    if (metrics != null) {
      metrics.close();
    }
    links.forEach(ServerWatch::closing);
    loops
        .next()
        .submit(() -> connections.values().forEach(ServerConnection::close))
        .awaitUninterruptibly();
    loops.shutdownGracefully(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
