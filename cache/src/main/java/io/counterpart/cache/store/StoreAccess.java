package io.counterpart.cache.store;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.WriteOutcome;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests to the store: within the limits, with increasing timestamps, with answers on the
 * tier's event loop. Belongs to that loop.
 */
final class StoreAccess {
  private static final Logger logger = LoggerFactory.getLogger(StoreAccess.class);
  private static final long MICROS = 1_000_000;

  private final PersistentStore store;
  private final GuardedLoop loop;
  private final LongSupplier clockMicros;
  private final BooleanSupplier isOwner;
  private final Timestamps timestamps;
  private final RequestLimit reads;
  private final RequestLimit writes;
  private final StoreStatistics statistics;
  private final MessagePause pause = new MessagePause();
  private boolean failing;

  /**
   * @param loop the settings' one
   */
  StoreAccess(
      PersistentStore store, StoreSettings settings, GuardedLoop loop, StoreStatistics statistics) {
    this.store = store;
    this.loop = loop;
    this.clockMicros = settings.clockMicros();
    this.isOwner = settings.isOwner();
    this.statistics = statistics;
    timestamps = new Timestamps(clockMicros);
    StoreLimits limits = settings.limits();
    long longest = limits.longestWait().toNanos();
    reads =
        new RequestLimit(limits.readsAtOnce(), limits.readsWaiting(), longest, System::nanoTime);
    writes =
        new RequestLimit(limits.writesAtOnce(), limits.writesWaiting(), longest, System::nanoTime);
  }

  /**
   * The outcome of a read.
   *
   * @param status {@link Status#DONE} with a record, NOT_FOUND, STORE_UNAVAILABLE or OVERLOADED
   */
  record ReadEnd(Status status, @Nullable PersistentRecord record) {
    static ReadEnd not(Status why) {
      return new ReadEnd(why, null);
    }
  }

  long nowSeconds() {
    return clockMicros.getAsLong() / MICROS;
  }

  /** Reads an object that has not expired. */
  void read(Key key, Consumer<ReadEnd> done) {
    reads.enter(
        () ->
            call(
                () -> store.read(key),
                (found, failure) -> {
                  ReadEnd end = end(found, failure);
                  statistics.read(failure != null, end.record() != null);
                  reads.leave();
                  done.accept(end);
                }),
        () -> {
          statistics.refused().increment();
          done.accept(ReadEnd.not(Status.OVERLOADED));
        });
  }

  private ReadEnd end(@Nullable Optional<PersistentRecord> found, @Nullable Throwable failure) {
    if (found == null || failure != null) {
      return ReadEnd.not(Status.STORE_UNAVAILABLE);
    }
    found.ifPresent(record -> timestamps.seen(record.timestamp()));
    PersistentRecord record = found.filter(there -> !there.isExpired(nowSeconds())).orElse(null);
    return new ReadEnd(record == null ? Status.NOT_FOUND : Status.DONE, record);
  }

  /**
   * Writes an object with the next timestamp, or deletes it if it has expired.
   *
   * @param done gets DONE with the timestamp, STORE_UNAVAILABLE, or OVERLOADED or UNAVAILABLE if
   *     nothing was done
   */
  void write(Key key, PersistentRecord record, Consumer<WriteOutcome> done) {
    if (record.isExpired(nowSeconds())) {
      delete(key, done);
    } else {
      change(timestamp -> store.write(key, record.at(timestamp)), done);
    }
  }

  /** Deletes an object; the outcomes are those of {@link #write}. */
  void delete(Key key, Consumer<WriteOutcome> done) {
    change(timestamp -> store.delete(key, timestamp), done);
  }

  private void change(LongFunction<CompletionStage<Void>> change, Consumer<WriteOutcome> done) {
    writes.enter(
        () -> {
          if (!isOwner.getAsBoolean()) {
            // it may have waited for longer than a lease: the next owner's changes are newer
            writes.leave();
            done.accept(WriteOutcome.not(Status.UNAVAILABLE));
            return;
          }
          long timestamp = timestamps.next();
          call(
              () -> change.apply(timestamp),
              (nothing, failure) -> {
                statistics.wrote(failure != null);
                writes.leave();
                done.accept(
                    failure == null
                        ? new WriteOutcome(Status.DONE, timestamp)
                        : WriteOutcome.not(Status.STORE_UNAVAILABLE));
              });
        },
        () -> {
          statistics.refused().increment();
          done.accept(WriteOutcome.not(Status.OVERLOADED));
        });
  }

  private <T> void call(
      Supplier<CompletionStage<T>> call, BiConsumer<@Nullable T, @Nullable Throwable> done) {
    CompletionStage<T> stage;
    try {
      stage = call.get();
    } catch (RuntimeException failure) {
      stage = CompletableFuture.failedFuture(failure);
    }
    stage.whenComplete(
        (result, failure) -> {
          if (loop.netty().inEventLoop()) {
            loop.run(() -> end(result, failure, done)); // the stage would swallow the exception
          } else {
            loop.execute(() -> end(result, failure, done));
          }
        });
  }

  private <T> void end(
      @Nullable T result,
      @Nullable Throwable failure,
      BiConsumer<@Nullable T, @Nullable Throwable> done) {
    if (loop.isEnded()) {
      return; // the tier does not use its requests' values any more
    }
    if (failing != (failure != null)) {
      failing = !failing;
      tell(failure);
    }
    done.accept(result, failure);
  }

  private void tell(@Nullable Throwable failure) {
    if (!pause.isOver()) {
      return;
    }
    if (failure == null) {
      logger.info("the persistent store answers again");
    } else {
      Throwable cause = failure.getCause();
      logger.warn(
          "the persistent store does not answer: {}",
          failure instanceof CompletionException && cause != null
              ? cause.toString()
              : failure.toString());
    }
  }
}
