package io.counterpart.cache.client;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.KeyBase64;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.WriteOutcome;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A client of the tier for Java programs. Keys are text of 1 to 250 bytes in UTF-8, values up to 1
 * MiB. A future fails with a {@link CacheException} if the tier cannot carry out the operation, and
 * with an {@link IllegalArgumentException} for an illegal key, value or time. Futures complete on
 * the tier's event loop: dependent stages must not block. Calls for one key take effect in order.
 * Thread-safe.
 */
public final class CacheClient {
  private static final Duration MAX_TIME = Duration.ofDays(30);

  private final ObjectTier tier;
  private final EventLoop loop;

  /**
   * A client of an open tier, which the caller closes.
   *
   * @param loop the tier's event loop
   */
  public CacheClient(ObjectTier tier, EventLoop loop) {
    this.tier = tier;
    this.loop = loop;
  }

  /** Reads a value; empty if there is none. */
  public CompletableFuture<Optional<CachedValue>> get(String key) {
    return read(key, GetOptions.PLAIN);
  }

  /** Writes a value that does not expire. */
  public CompletableFuture<Outcome> set(String key, byte[] value) {
    return set(key, value, 0, Duration.ZERO);
  }

  /**
   * Writes a value.
   *
   * @param flags any 32 bits
   * @param timeToLive 0 for ever, else 1 second to 30 days
   */
  public CompletableFuture<Outcome> set(String key, byte[] value, int flags, Duration timeToLive) {
    return store(StoreMode.SET, key, value, flags, timeToLive, 0);
  }

  /** Writes a value if there is none. */
  public CompletableFuture<Outcome> add(String key, byte[] value, int flags, Duration timeToLive) {
    return store(StoreMode.ADD, key, value, flags, timeToLive, 0);
  }

  /** Replaces a value if there is one. */
  public CompletableFuture<Outcome> replace(
      String key, byte[] value, int flags, Duration timeToLive) {
    return store(StoreMode.REPLACE, key, value, flags, timeToLive, 0);
  }

  /** Appends bytes to a value; its flags and expiry stay. */
  public CompletableFuture<Outcome> append(String key, byte[] more) {
    return store(StoreMode.APPEND, key, more, 0, Duration.ZERO, 0);
  }

  /** Writes a value if the present one has this version. */
  public CompletableFuture<Outcome> compareAndSet(
      String key, byte[] value, int flags, Duration timeToLive, long version) {
    return store(StoreMode.CAS, key, value, flags, timeToLive, version);
  }

  /** Deletes a value. */
  public CompletableFuture<Outcome> delete(String key) {
    return checked(
        () -> {
          Key checked = key(key);
          return call(
              done -> tier.delete(DeleteCommand.of(checked), outcome -> tell(key, outcome, done)));
        });
  }

  /**
   * Adds to a decimal number, modulo 2^64; empty if there is none.
   *
   * @param delta 64 unsigned bits
   */
  public CompletableFuture<Optional<Long>> increment(String key, long delta) {
    return arithmetic(key, true, delta);
  }

  /** Subtracts from a decimal number, down to 0; empty if there is none. */
  public CompletableFuture<Optional<Long>> decrement(String key, long delta) {
    return arithmetic(key, false, delta);
  }

  private CompletableFuture<Optional<Long>> arithmetic(String key, boolean increments, long delta) {
    return checked(
        () -> {
          ArithmeticCommand command =
              new ArithmeticCommand(key(key), increments, delta, null, null, 0);
          return call(
              done ->
                  tier.arithmetic(
                      command,
                      outcome -> {
                        switch (outcome.status()) {
                          case DONE -> done.complete(Optional.of(outcome.number()));
                          case NOT_FOUND -> done.complete(Optional.empty());
                          default -> done.completeExceptionally(failure(key, outcome.status()));
                        }
                      }));
        });
  }

  /** Deletes all values. */
  public CompletableFuture<Outcome> flushAll() {
    return call(done -> tier.flushAll(0, outcome -> tell("all values", outcome, done)));
  }

  private CompletableFuture<Optional<CachedValue>> read(String key, GetOptions options) {
    return checked(
        () -> {
          Key checked = key(key);
          return call(done -> tier.get(checked, options, outcome -> tell(key, outcome, done)));
        });
  }

  private static void tell(
      String key, GetOutcome outcome, CompletableFuture<Optional<CachedValue>> done) {
    if (outcome instanceof GetOutcome.Found found) {
      byte[] bytes = ByteBufUtil.getBytes(found.value());
      found.value().release();
      done.complete(Optional.of(new CachedValue(bytes, found.item().flags(), found.item().cas())));
      return;
    }
    Status status = ((GetOutcome.None) outcome).status();
    if (status == Status.NOT_FOUND) {
      done.complete(Optional.empty());
    } else {
      done.completeExceptionally(failure(key, status));
    }
  }

  private CompletableFuture<Outcome> store(
      StoreMode mode, String key, byte[] value, int flags, Duration timeToLive, long version) {
    return checked(
        () -> {
          StoreCommand command =
              new StoreCommand(
                  key(key),
                  mode,
                  flags,
                  exptime(timeToLive),
                  version,
                  false,
                  Unpooled.wrappedBuffer(value.clone()));
          return call(done -> tier.store(command, outcome -> tell(key, outcome, done)));
        });
  }

  private static void tell(String key, WriteOutcome outcome, CompletableFuture<Outcome> done) {
    switch (outcome.status()) {
      case DONE -> done.complete(Outcome.DONE);
      case NOT_STORED -> done.complete(Outcome.NOT_STORED);
      case EXISTS -> done.complete(Outcome.OTHER_VERSION);
      case NOT_FOUND -> done.complete(Outcome.NOT_FOUND);
      default -> done.completeExceptionally(failure(key, outcome.status()));
    }
  }

  private static CacheException failure(String key, Status status) {
    return new CacheException(key, status);
  }

  private static Key key(String key) {
    Key made = Key.of(key.getBytes(StandardCharsets.UTF_8));
    if (!made.isText() && KeyBase64.encodedLength(made.lengthBytes()) > Key.MAX_BYTES) {
      throw new IllegalArgumentException(
          "a key of %d bytes with a space, line feed or zero byte; legal: 1 to 186"
              .formatted(made.lengthBytes()));
    }
    return made;
  }

  private static int exptime(Duration timeToLive) {
    boolean whole = timeToLive.equals(Duration.ofSeconds(timeToLive.toSeconds()));
    if (timeToLive.isNegative() || timeToLive.compareTo(MAX_TIME) > 0 || !whole) {
      throw new IllegalArgumentException(
          "time to live %s, legal: whole seconds, 0 (for ever) to 30 days".formatted(timeToLive));
    }
    return (int) timeToLive.toSeconds();
  }

  /** Turns exceptions of the call itself into failed futures. */
  private static <T> CompletableFuture<T> checked(Attempt<T> attempt) {
    try {
      return attempt.begin();
    } catch (IllegalArgumentException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private <T> CompletableFuture<T> call(Consumer<CompletableFuture<T>> body) {
    CompletableFuture<T> result = new CompletableFuture<>();
    loop.execute(
        () -> {
          try {
            body.accept(result);
          } catch (RuntimeException e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  @FunctionalInterface
  private interface Attempt<T> {
    CompletableFuture<T> begin();
  }
}
