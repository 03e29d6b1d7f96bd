package io.counterpart.cache.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.MetaItem;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.NumberOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.WriteOutcome;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A tier with a store under the test's control, on its own event loop. */
final class StoreFixture implements AutoCloseable {
  /** Room for the tests' requests, and no pause before memory is tried again. */
  static final StoreLimits LIMITS =
      new StoreLimits(8, 64, 8, 64, Duration.ofSeconds(10), 16, Duration.ofMillis(1));

  final EventLoop loop;
  final FakeStore store = FakeStore.told();
  final ToyMemory toyMemory = new ToyMemory();
  private final ObjectTier memory;
  private final boolean ownsLoop;
  private Mortal life;

  /** Whether no other proxy can own the tier. */
  boolean isOwner = true;

  StoreStatistics statistics = new StoreStatistics();
  StoredTier tier;

  StoreFixture(StoreLimits limits) {
    loop = new DefaultEventLoop();
    ownsLoop = true;
    memory = toyMemory;
    open(limits);
  }

  /** A fixture with another memory than the toy. */
  StoreFixture(StoreLimits limits, ObjectTier memory, EventLoop loop) {
    this.loop = loop;
    ownsLoop = false;
    this.memory = memory;
    open(limits);
  }

  /** Starts a proxy; the previous one dies. */
  void open(StoreLimits limits) {
    if (life != null) {
      on(life::die);
    }
    life = new Mortal(memory, store);
    statistics = new StoreStatistics();
    CompletableFuture<StoredTier> opened =
        StoredTier.open(
            life,
            life,
            new StoreSettings(
                limits, 0, loop, () -> System.currentTimeMillis() * 1000, () -> isOwner),
            statistics);
    on(() -> {});
    on(store::endAll);
    tier = end(opened);
  }

  /** Gives the store an object that memory lacks. */
  void inStore(String key, String value) {
    on(
        () ->
            store.put(
                Key.of(key), new PersistentRecord(value.getBytes(ISO_8859_1), 3, 0, false, 1)));
  }

  /** Runs a body on the loop, and waits for it. */
  void on(Runnable body) {
    loop.submit(body).syncUninterruptibly();
  }

  static <T> T end(CompletableFuture<T> future) {
    try {
      return future.get(40, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("no end", e);
    }
  }

  /** Makes the store execute requests until a future completes. */
  <T> T withStore(CompletableFuture<T> future) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!future.isDone() && System.nanoTime() - deadline < 0) {
      on(store::endAll);
    }
    return end(future);
  }

  private <T> CompletableFuture<T> call(Consumer<Consumer<T>> body) {
    CompletableFuture<T> future = new CompletableFuture<>();
    on(() -> body.accept(future::complete));
    return future;
  }

  /** The outcome of a read: a value, or the reason why there is none. */
  record Got(Status status, String value, MetaItem item) {}

  CompletableFuture<Got> get(String key) {
    return get(key, GetOptions.PLAIN);
  }

  CompletableFuture<Got> get(String key, GetOptions options) {
    return call(done -> tier.get(Key.of(key), options, outcome -> done.accept(got(outcome))));
  }

  private static Got got(GetOutcome outcome) {
    if (outcome instanceof GetOutcome.Found found) {
      String value = found.value().toString(ISO_8859_1);
      found.value().release();
      return new Got(Status.DONE, value, found.item());
    }
    return new Got(((GetOutcome.None) outcome).status(), "", null);
  }

  CompletableFuture<WriteOutcome> set(String key, String value) {
    return store(StoreMode.SET, key, value, 0, 0);
  }

  CompletableFuture<WriteOutcome> store(
      StoreMode mode, String key, String value, int exptime, long cas) {
    return call(
        done ->
            tier.store(
                new StoreCommand(
                    Key.of(key),
                    mode,
                    7,
                    exptime,
                    cas,
                    false,
                    Unpooled.copiedBuffer(value, ISO_8859_1)),
                done));
  }

  CompletableFuture<WriteOutcome> delete(String key) {
    return call(done -> tier.delete(DeleteCommand.of(Key.of(key)), done));
  }

  CompletableFuture<WriteOutcome> markStale(String key) {
    return call(done -> tier.delete(new DeleteCommand(Key.of(key), null, true, null), done));
  }

  CompletableFuture<NumberOutcome> increment(String key, long delta) {
    return call(
        done ->
            tier.arithmetic(new ArithmeticCommand(Key.of(key), true, delta, null, null, 0), done));
  }

  CompletableFuture<WriteOutcome> flushAll() {
    return call(done -> tier.flushAll(0, done));
  }

  /** The store's value of a key, if it has one. */
  String stored(String key) {
    return store
        .record(Key.of(key))
        .map(record -> new String(record.value(), ISO_8859_1))
        .orElse(null);
  }

  @Override
  public void close() {
    if (ownsLoop) {
      loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }
}
