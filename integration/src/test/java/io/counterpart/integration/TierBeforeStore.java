package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.Uninterruptibles;
import io.counterpart.cache.coded.CodedScheme;
import io.counterpart.cache.coded.CodedShard;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.coding.CodingLibrary;
import io.counterpart.cache.objects.CodedObjectTier;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.store.PersistentStore;
import io.counterpart.cache.store.StoreLimits;
import io.counterpart.cache.store.StoreSettings;
import io.counterpart.cache.store.StoreStatistics;
import io.counterpart.cache.store.StoredTier;
import io.counterpart.cache.tier.Status;
import io.counterpart.memcached.MemcachedServer;
import io.counterpart.memcached.MemcachedServers;
import io.counterpart.memcached.MemcachedSpec;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** A coded tier on real memcached servers, in this JVM, with a persistent store behind it. */
final class TierBeforeStore implements AutoCloseable {
  static final LongSupplier SECONDS = () -> System.currentTimeMillis() / 1000;
  private static final int SERVERS = 5;

  private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
  private final EventLoop loop = loops.next();
  private final StoreStatistics statistics = new StoreStatistics();
  private final MemcachedServers servers;
  private CodedShard shard;
  private TierClient client;

  private TierBeforeStore(MemcachedServers servers) {
    this.servers = servers;
  }

  /** A store for the tier of an event loop, which stays somebody else's to close. */
  interface StoreOf {
    PersistentStore on(EventLoop loop) throws IOException;
  }

  /**
   * Starts everything.
   *
   * @param home directory for a new directory of this tier
   * @param firstPort of the servers
   */
  static TierBeforeStore open(Path home, int firstPort, StoreLimits limits, StoreOf store)
      throws Exception {
    Path directory = Files.createTempDirectory(Files.createDirectories(home), "t");
    TierBeforeStore tier =
        new TierBeforeStore(
            MemcachedServers.start(MemcachedSpec.forTier(32), directory, firstPort, SERVERS));
    try {
      tier.begin(directory, limits, store);
      return tier;
    } catch (Exception | Error failure) {
      tier.close();
      throw failure;
    }
  }

  private void begin(Path directory, StoreLimits limits, StoreOf store) throws Exception {
    List<ServerId> ids =
        servers.servers().stream().map(s -> new ServerId("127.0.0.1:" + s.port())).toList();
    shard =
        CodedShard.open(
                CodedScheme.ECHASH,
                CodedSettings.of(new CodeShape(5, 3), ids, directory.resolve("metadata")).stored(),
                CodingLibrary.load(),
                loop,
                SECONDS,
                new CompletableFuture<>())
            .get(60, TimeUnit.SECONDS);
    CodedObjectTier memory = new CodedObjectTier(shard, loop, SECONDS);
    PersistentStore behind = store.on(loop);
    StoreSettings settings =
        new StoreSettings(limits, 0, loop, () -> System.currentTimeMillis() * 1000, () -> true);
    // a busy machine may answer none of its first reads of the store within a short timeout
    StoredTier tier =
        await()
            .atMost(Duration.ofSeconds(60))
            .pollDelay(Duration.ZERO)
            .pollInSameThread()
            .ignoreException(ExecutionException.class)
            .until(
                () -> end(StoredTier.open(memory, behind, settings, statistics)), opened -> true);
    client = new TierClient(tier, loop);
  }

  TierClient client() {
    return client;
  }

  StoreStatistics statistics() {
    return statistics;
  }

  /** Gives the tier all the calls that it makes before the tier answers the first of them. */
  <T> T together(Supplier<T> calls) {
    CountDownLatch called = new CountDownLatch(1);
    loop.execute(() -> Uninterruptibles.awaitUninterruptibly(called));
    try {
      return calls.get();
    } finally {
      called.countDown();
    }
  }

  /** Has memory lose all it has; returns when it is used again. */
  void emptyMemory() throws Exception {
    servers.servers().forEach(MemcachedServer::kill);
    servers.servers().forEach(MemcachedServer::start);
    await().atMost(Duration.ofSeconds(60)).until(() -> usableServers() == SERVERS);
    // some objects are decoded again, with the deltas that the proxy has not folded yet
    assertThat(end(client.flushAll())).isEqualTo(Status.DONE);
  }

  private int usableServers() {
    return loop.submit(() -> shard.usableServers().size()).syncUninterruptibly().getNow();
  }

  static <T> T end(CompletableFuture<T> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  /** Why it could not be done. */
  static Status failure(CompletableFuture<?> future) throws Exception {
    try {
      end(future);
      throw new AssertionError("done, but the store stands still");
    } catch (ExecutionException e) {
      return ((TierClient.Failure) e.getCause()).status();
    }
  }

  @Override
  public void close() {
    if (shard != null) {
      loop.submit(shard::close).syncUninterruptibly();
    }
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    servers.close();
  }
}
