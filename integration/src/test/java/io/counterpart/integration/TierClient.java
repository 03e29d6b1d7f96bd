package io.counterpart.integration;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A client of a tier in this JVM. A future fails with a {@link Failure} if the tier cannot carry
 * out the operation. Calls for one key take effect in order. Thread-safe.
 */
final class TierClient {
  private final ObjectTier tier;
  private final EventLoop loop;

  /**
   * @param loop the tier's event loop
   */
  TierClient(ObjectTier tier, EventLoop loop) {
    this.tier = tier;
    this.loop = loop;
  }

  /** A value as it was read. */
  record Value(byte[] bytes, int flags) {}

  /** Signals that the tier could not carry out an operation. */
  static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Status status;

    Failure(Status status) {
      super(status.name());
      this.status = status;
    }

    Status status() {
      return status;
    }
  }

  /** Reads a value; empty if there is none. */
  CompletableFuture<Optional<Value>> get(String key) {
    return call(
        done ->
            tier.get(
                Key.of(key),
                GetOptions.PLAIN,
                outcome -> {
                  if (outcome instanceof GetOutcome.Found found) {
                    byte[] bytes = ByteBufUtil.getBytes(found.value());
                    found.value().release();
                    done.complete(Optional.of(new Value(bytes, found.item().flags())));
                  } else {
                    absent(((GetOutcome.None) outcome).status(), done);
                  }
                }));
  }

  private static <T> void absent(Status status, CompletableFuture<Optional<T>> done) {
    if (status == Status.NOT_FOUND) {
      done.complete(Optional.empty());
    } else {
      done.completeExceptionally(new Failure(status));
    }
  }

  /** Writes a value that does not expire. */
  CompletableFuture<Status> set(String key, byte[] value) {
    return set(key, value, 0, Duration.ZERO);
  }

  /**
   * Writes a value.
   *
   * @param timeToLive whole seconds; 0 for ever
   */
  CompletableFuture<Status> set(String key, byte[] value, int flags, Duration timeToLive) {
    StoreCommand command =
        new StoreCommand(
            Key.of(key),
            StoreMode.SET,
            flags,
            (int) timeToLive.toSeconds(),
            0,
            false,
            Unpooled.wrappedBuffer(value));
    return call(done -> tier.store(command, outcome -> written(outcome.status(), done)));
  }

  /** Deletes a value. */
  CompletableFuture<Status> delete(String key) {
    DeleteCommand command = DeleteCommand.of(Key.of(key));
    return call(done -> tier.delete(command, outcome -> written(outcome.status(), done)));
  }

  /** Empties the tier's memory. */
  CompletableFuture<Status> flushAll() {
    return call(done -> tier.flushAll(0, outcome -> written(outcome.status(), done)));
  }

  private static void written(Status status, CompletableFuture<Status> done) {
    switch (status) {
      case DONE, NOT_STORED, EXISTS, NOT_FOUND -> done.complete(status);
      default -> done.completeExceptionally(new Failure(status));
    }
  }

  /** Adds to a decimal number; empty if there is none. */
  CompletableFuture<Optional<Long>> increment(String key, long delta) {
    ArithmeticCommand command = new ArithmeticCommand(Key.of(key), true, delta, null, null, 0);
    return call(
        done ->
            tier.arithmetic(
                command,
                outcome -> {
                  if (outcome.status() == Status.DONE) {
                    done.complete(Optional.of(outcome.number()));
                  } else {
                    absent(outcome.status(), done);
                  }
                }));
  }

  private <T> CompletableFuture<T> call(Consumer<CompletableFuture<T>> operation) {
    CompletableFuture<T> result = new CompletableFuture<>();
    loop.execute(
        () -> {
          try {
            operation.accept(result);
          } catch (RuntimeException e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }
}
