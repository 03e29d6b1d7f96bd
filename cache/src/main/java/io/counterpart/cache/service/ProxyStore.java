package io.counterpart.cache.service;

import io.counterpart.cache.coded.settings.EvictionRule;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.store.PersistentStore;
import io.counterpart.cache.store.StoreSettings;
import io.counterpart.cache.store.StoreStatistics;
import io.counterpart.cache.store.StoredTier;
import io.counterpart.cache.store.behind.WriteBehindSettings;
import io.counterpart.cache.store.behind.WriteBehindStore;
import io.counterpart.cache.store.cassandra.CassandraStore;
import io.counterpart.cache.tier.ObjectTier;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The optional persistent store behind a shard. Open while the proxy owns the shard, because all
 * changes of its objects go through one proxy. Thread-safe.
 */
final class ProxyStore implements AutoCloseable {
  private static final int CONNECT_MILLIS = 1000;
  private static final LongSupplier CLOCK_SECONDS = () -> System.currentTimeMillis() / 1000;
  private static final LongSupplier CLOCK_MICROS =
      () -> TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());

  private final @Nullable StoreOptions options;
  private final int shard;
  private final int shards;
  private final EventLoop loop;
  private final StoreStatistics statistics;
  private final AtomicReference<@Nullable Open> open = new AtomicReference<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** The tier with the store, and the store: with write-behind, the one that does that. */
  private record Open(StoredTier objects, PersistentStore store) {}

  /**
   * @param options null for no store
   * @param shard number of the shard before it
   * @param shards of the tier
   * @param loop the shard's
   * @param statistics of all shards of this proxy
   */
  ProxyStore(
      @Nullable StoreOptions options,
      int shard,
      int shards,
      EventLoop loop,
      StoreStatistics statistics) {
    this.options = options;
    this.shard = shard;
    this.shards = shards;
    this.loop = loop;
    this.statistics = statistics;
  }

  /**
   * The tier with the store behind it; without a store, the tier itself. Blocks until both can be
   * used.
   *
   * @param isOwner see {@link io.counterpart.cache.store.StoreSettings}
   * @throws IOException if the store cannot be used; nothing of it is left open
   */
  ObjectTier behind(ObjectTier memory, BooleanSupplier isOwner) throws IOException {
    if (options == null) {
      return memory;
    }
    StoreSettings settings =
        new StoreSettings(options.limits(shards), shard, loop, CLOCK_MICROS, isOwner);
    WriteBehindSettings writesBehind = options.behind(shard, shards);
    PersistentStore store = CassandraStore.open(options.cassandra(), shard, CLOCK_SECONDS);
    try {
      if (writesBehind != null) {
        store = WriteBehindStore.open(store, writesBehind, loop);
      }
      StoredTier objects = StoredTier.open(memory, store, settings, statistics).get();
      open.set(new Open(objects, store));
      failWith(objects.ended());
      if (store instanceof WriteBehindStore behind) {
        failWith(behind.ended());
      }
      return objects;
    } catch (InterruptedException e) {
      store.close();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while starting");
    } catch (ExecutionException e) {
      store.close();
      throw new IOException("cannot use the persistent store: " + e.getCause(), e);
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private void failWith(CompletableFuture<Void> part) {
    part.whenComplete((nothing, why) -> ended.completeExceptionally(Objects.requireNonNull(why)));
  }

  /**
   * Whether a node of the store takes connections, or there is no store; blocks for a second for
   * each node that does not answer.
   */
  boolean isReached() {
    return options == null
        || options.cassandra().contactPoints().stream().anyMatch(ProxyStore::takesConnections);
  }

  private static boolean takesConnections(InetSocketAddress node) {
    try (Socket socket = new Socket()) {
      socket.connect(node, CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Fails if the store ends by itself. */
  CompletableFuture<Void> ended() {
    return ended;
  }

  /** Whether there is a store, used now or not. */
  boolean isThere() {
    return options != null;
  }

  StoreStatistics statistics() {
    return statistics;
  }

  /** The write-behind store; null with write-through, and while the store is not used. */
  @Nullable WriteBehindStore writesBehind() {
    Open used = open.get();
    return used != null && used.store() instanceof WriteBehindStore behind ? behind : null;
  }

  boolean mayWriteBehind() {
    return options != null && options.behind() != null;
  }

  /**
   * The objects that memory need not have: nothing that the store still lacks leaves it, because
   * memory would have the only copy if the log of changes were lost.
   */
  EvictionRule evictionRule() {
    return mayWriteBehind() ? new InStore() : EvictionRule.ALL;
  }

  /** What write-behind has written; nothing while the store is not used. */
  private final class InStore implements EvictionRule {
    @Override
    public boolean mayEvict(Key key) {
      WriteBehindStore behind = writesBehind();
      return behind != null && !behind.isPending(key);
    }

    @Override
    public boolean mayEvictAll() {
      WriteBehindStore behind = writesBehind();
      return behind != null && behind.entries() == 0;
    }
  }

  /**
   * Ends the use of the store: writes pending changes to it, and closes its connections. Needs the
   * event loop.
   */
  @Override
  public void close() {
    Open used = open.getAndSet(null);
    if (used != null) {
      used.objects().close();
      used.store().close();
    }
  }
}
