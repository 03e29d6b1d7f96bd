package io.counterpart.cache.service;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.backend.ServerConnection;
import io.counterpart.cache.control.Controlled;
import io.counterpart.cache.control.ServerChange;
import io.counterpart.cache.control.ServerReport;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cache.forward.ForwardStatistics;
import io.counterpart.cache.ring.HashRing;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.vanilla.VanillaTier;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A tier without a code: one ring of servers, one connection to each. Thread-safe. */
final class UncodedTier implements OpenTier {
  private static final Logger logger = LoggerFactory.getLogger(UncodedTier.class);

  // the place of every key depends on both: a restart must find the objects again
  private static final int VIRTUAL_NODES = 160;
  private static final long SEED = 1;

  private final SchemeContext context;
  private final List<ServerWatch> watches;
  private final Map<ServerId, ServerConnection> connections;
  private final ObjectTier objects;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** Runs on the event loop. */
  private UncodedTier(SchemeContext context) {
    this.context = context;
    GuardedLoop loop = new GuardedLoop(context.loop(), ended::completeExceptionally);
    watches =
        context.servers().stream().map(server -> new ServerWatch(server, loop::faulted)).toList();
    Map<ServerId, ServerConnection> opened = new HashMap<>();
    for (ServerWatch watch : watches) {
      opened.put(
          SchemeContext.id(watch.server()),
          new ServerConnection(watch.server(), context.loop(), SchemeContext.CONNECTIONS, watch));
    }
    connections = Map.copyOf(opened);
    objects = new VanillaTier(HashRing.of(context.ids(), VIRTUAL_NODES, SEED), connections);
  }

  /**
   * Opens a tier; waits at most a second for servers. The objects of a server that is not reached
   * are unavailable until it is there.
   */
  static CompletableFuture<OpenTier> open(SchemeContext context) {
    CompletableFuture<OpenTier> result = new CompletableFuture<>();
    context
        .loop()
        .execute(
            () -> {
              try {
                new UncodedTier(context).awaitServers(result);
              } catch (RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  private void awaitServers(CompletableFuture<OpenTier> result) {
    CompletableFuture.allOf(
            watches.stream().map(ServerWatch::firstConnected).toArray(CompletableFuture<?>[]::new))
        .thenRun(() -> result.complete(this));
    context
        .loop()
        .schedule(
            () -> {
              if (result.complete(this)) {
                sayWhoIsMissing();
              }
            },
            SchemeContext.CONNECTIONS.connect().toMillis(),
            TimeUnit.MILLISECONDS);
  }

  private void sayWhoIsMissing() {
    watches.stream()
        .filter(watch -> !watch.isConnected())
        .forEach(watch -> logger.warn("server {} is not reached", watch.server()));
  }

  @Override
  public List<ObjectTier> objects() throws IOException {
    return List.of(context.store().behind(objects, () -> true));
  }

  @Override
  public String role() {
    return "";
  }

  @Override
  public Optional<TierReport> ownReport() {
    return Optional.of(report());
  }

  @Override
  public @Nullable ForwardStatistics forwarded() {
    return null;
  }

  @Override
  public TierReport report() {
    return new TierReport(
        context.options().scheme().toString(),
        watches.stream()
            .map(
                watch ->
                    new ServerReport(
                        watch.server().toString(),
                        -1,
                        watch.isConnected() ? "up" : "down",
                        watch.losses(),
                        0))
            .toList(),
        null,
        null);
  }

  @Override
  public CompletableFuture<Void> change(ServerChange change) {
    return CompletableFuture.failedFuture(
        new IllegalStateException(
            "%s: scheme %s cannot do that while it runs, legal with a scheme that has a code"
                .formatted(change, context.options().scheme())));
  }

  @Override
  public CompletableFuture<Void> cancelChange() {
    return CompletableFuture.failedFuture(Controlled.nothingToCancel());
  }

  /** Never happens: no other proxy owns it. */
  @Override
  public void onAbandoned(Runnable listener) {}

  @Override
  public CompletableFuture<Void> ended() {
    return ended;
  }

  @Override
  public void close() {
    context.store().close();
    watches.forEach(ServerWatch::closing);
    context
        .loop()
        .submit(() -> connections.values().forEach(ServerConnection::close))
        .awaitUninterruptibly();
    ended.complete(null);
  }
}
