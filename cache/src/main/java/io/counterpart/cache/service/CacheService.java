package io.counterpart.cache.service;

import io.counterpart.cache.backend.FatalErrors;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.control.ControlServer;
import io.counterpart.cache.proxy.MemoryBudget;
import io.counterpart.cache.proxy.ProxyServer;
import io.counterpart.cache.ring.ServerDealing;
import io.counterpart.cache.store.StoreStatistics;
import io.counterpart.cache.tier.ObjectTier;
import io.netty.channel.DefaultSelectStrategyFactory;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultEventExecutorChooserFactory;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.RejectedExecutionHandlers;
import io.netty.util.concurrent.ThreadPerTaskExecutor;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A proxy in this JVM, from its start until it is closed. Its durable state is in the tier's
 * metadata and on the servers, so the next proxy finds every object after a kill. Thread-safe.
 */
public final class CacheService implements AutoCloseable {
  private static final int SHUTDOWN_SECONDS = 2;

  /** One for each shard, which also serves a part of the clients. */
  private final EventLoopGroup loops;

  private final AtomicBoolean closed = new AtomicBoolean();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private @Nullable OpenTier tier;
  private @Nullable ControlServer control;
  private @Nullable ProxyServer proxy;
  private @Nullable HTTPServer metrics;

  private CacheService(int shards) {
    loops =
        new NioEventLoopGroup(
            shards,
            new ThreadPerTaskExecutor(CacheService::thread),
            DefaultEventExecutorChooserFactory.INSTANCE,
            SelectorProvider.provider(),
            DefaultSelectStrategyFactory.INSTANCE,
            RejectedExecutionHandlers.reject(),
            FatalErrors::tasks);
  }

  private static Thread thread(Runnable body) {
    Thread thread = new DefaultThreadFactory("cache-proxy").newThread(body);
    thread.setUncaughtExceptionHandler(FatalErrors.endingProcess());
    return thread;
  }

  /**
   * Starts a proxy; returns when clients can come. Without a code, the start waits at most a second
   * for servers. With a code, it waits until no more rings are down than the code tolerates.
   *
   * @throws IOException if an address cannot be listened on, or metadata or the store cannot be
   *     used; nothing is left running
   */
  public static CacheService start(ServiceOptions options) throws IOException {
    CacheService service = new CacheService(options.scheme().shards());
    try {
      service.open(options);
    } catch (IOException | RuntimeException | Error failure) {
      service.close();
      throw failure;
    }
    return service;
  }

  private void open(ServiceOptions options) throws IOException {
    List<SchemeContext> shards = shards(options);
    OpenTier opened = openTier(options.scheme().scheme(), shards);
    tier = opened;
    List<ProxyStore> stores = shards.stream().map(SchemeContext::store).toList();
    opened.ended().whenComplete(this::end);
    stores.forEach(store -> store.ended().whenComplete(this::end));
    Path controlFile = options.control();
    if (controlFile != null) {
      control = ControlServer.listen(controlFile, opened);
    }
    ProxyServer listening =
        ProxyServer.listen(
            options.listen(), clientLoops(options, shards, opened), options.access(), opened::role);
    proxy = listening;
    opened.onAbandoned(listening::closeClients);
    InetSocketAddress metricsAddress = options.metrics();
    if (metricsAddress != null) {
      metrics = expose(metricsAddress, new ServiceMetrics(listening.statistics(), opened, stores));
    }
  }

  private List<SchemeContext> shards(ServiceOptions options) throws IOException {
    SchemeOptions scheme = options.scheme();
    StoreOptions store = options.store();
    if (store != null) {
      store.requireShards(scheme.shards());
      store.claimTable();
    }
    StoreStatistics statistics = new StoreStatistics();
    List<List<ServerAddress>> servers =
        ServerDealing.deal(
            options.servers(), scheme.minServers() / scheme.shards(), scheme.shards());
    List<SchemeContext> shards = new ArrayList<>();
    for (List<ServerAddress> own : servers) {
      EventLoop loop = loops.next();
      shards.add(
          new SchemeContext(
              scheme.ofShard(shards.size()),
              shards.size(),
              own,
              new ProxyStore(store, shards.size(), scheme.shards(), loop, statistics),
              options.control(),
              new MemoryBudget(loop, options.memoryOfBudget()),
              loop));
    }
    return shards;
  }

  /**
   * The event loops as clients use them. With several, each has two budgets: of its clients, and of
   * what comes from elsewhere. Who has memory of the second never waits for the first.
   */
  private static List<ProxyServer.ClientLoop> clientLoops(
      ServiceOptions options, List<SchemeContext> shards, OpenTier opened) throws IOException {
    List<ObjectTier> objects = opened.objects();
    List<ProxyServer.ClientLoop> clients = new ArrayList<>();
    for (SchemeContext shard : shards) {
      ObjectTier tier = objects.get(shard.shard());
      clients.add(
          shard.isOneOfSeveral()
              ? new ProxyServer.ClientLoop(
                  tier,
                  new MemoryBudget(shard.loop(), options.memoryOfBudget()),
                  List.of(shard.memory()))
              : new ProxyServer.ClientLoop(tier, shard.memory(), List.of()));
    }
    return clients;
  }

  private static OpenTier openTier(Scheme scheme, List<SchemeContext> shards) throws IOException {
    CompletableFuture<OpenTier> opening = scheme.open(shards);
    try {
      return opening.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while starting");
    } catch (ExecutionException e) {
      Throwable why = e.getCause() == null ? e : e.getCause();
      throw new IOException("cannot open the tier: " + why.getMessage(), e);
    }
  }

  private static HTTPServer expose(InetSocketAddress address, ServiceMetrics told)
      throws IOException {
    PrometheusRegistry registry = new PrometheusRegistry();
    registry.register(told);
    try {
      return HTTPServer.builder()
          .inetAddress(address.getAddress())
          .port(address.getPort())
          .registry(registry)
          .buildAndStart();
    } catch (IOException e) {
      throw new IOException("cannot tell metrics on %s: %s".formatted(address, e.getMessage()), e);
    }
  }

  /** The address for clients. */
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

  /**
   * Done when the proxy is closed. Fails if its tier ends by itself; the proxy then serves nobody.
   */
  public CompletableFuture<Void> ended() {
    if (tier == null) {
      throw new IllegalStateException("not started");
    }
    return ended;
  }

  private void end(@Nullable Object nothing, @Nullable Throwable why) {
    if (why == null) {
      ended.complete(null);
    } else {
      Throwable cause = why.getCause();
      ended.completeExceptionally(
          why instanceof CompletionException && cause != null ? cause : why);
    }
  }

  /** Stops listening and closes every connection; acknowledged writes stay. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    if (proxy != null) {
      proxy.close();
    }
    if (metrics != null) {
      metrics.close();
    }
    if (control != null) {
      control.close();
    }
    if (tier != null) {
      tier.close();
    }
    loops.shutdownGracefully(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
