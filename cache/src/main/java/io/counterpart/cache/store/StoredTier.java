package io.counterpart.cache.store;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.coded.flow.Gates;
import io.counterpart.cache.coded.item.OwnKeys;
import io.counterpart.cache.command.Arithmetic;
import io.counterpart.cache.command.Changes;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.store.ReadThrough.Miss;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.NumberOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.WriteOutcome;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A tier with a persistent store behind it. Objects that memory lacks are read from the store and
 * put into memory. A change is acknowledged when it is durable in the store and memory holds either
 * the new object or none. {@link #flushAll} empties memory alone.
 *
 * <p>All changes of the store's objects must go through this tier: other writers' changes stay
 * invisible as long as memory has the object.
 *
 * <p>Paper: ECHash §5.1, where MySQL has a copy of every object. Deviates: the store is Cassandra;
 * writes, bounds and failures are ours.
 */
public final class StoredTier implements ObjectTier {
  private static final int UNDECIDED_KEYS = 1 << 16;

  /** Reads of the marker until one is answered: a store may be slow for a moment. */
  private static final int MARKER_READS = 5;

  private final ObjectTier memory;
  private final GuardedLoop loop;
  private final CompletableFuture<Void> ended;
  private final Gates<Key> turns = new Gates<>();
  private final StoreAccess access;
  private final Marker marker;
  private final UnsettledKeys unsettled;
  private final StoreStatistics statistics;
  private final ReadThrough through;
  private final StoredChanges changes;
  private final StoredTouches touches;

  private StoredTier(
      ObjectTier memory,
      PersistentStore store,
      StoreSettings settings,
      StoreStatistics statistics) {
    this.memory = memory;
    ended = new CompletableFuture<>();
    loop = new GuardedLoop(settings.loop(), ended::completeExceptionally);
    this.statistics = statistics;
    access = new StoreAccess(store, settings, loop, statistics);
    StoreLimits limits = settings.limits();
    marker = new Marker(OwnKeys.unsettled(settings.shard()), access, turns);
    unsettled = new UnsettledKeys(memory, marker, turns, loop, limits, statistics);
    UndecidedKeys undecided = new UndecidedKeys(UNDECIDED_KEYS);
    through = new ReadThrough(memory, access, unsettled, undecided, statistics);
    changes = new StoredChanges(memory, access, through, unsettled, undecided);
    touches = new StoredTouches(memory, access, through, changes);
  }

  /**
   * Puts a store behind a tier. If the previous proxy could not apply all changes to its memory,
   * memory is emptied first, and not used before that is done.
   *
   * @param memory the tier below; on the settings' event loop
   * @param store the caller closes it, after the last call of the tier
   * @return completes on the event loop; fails with an {@link IOException} if the store does not
   *     answer
   */
  public static CompletableFuture<StoredTier> open(
      ObjectTier memory,
      PersistentStore store,
      StoreSettings settings,
      StoreStatistics statistics) {
    CompletableFuture<StoredTier> opened = new CompletableFuture<>();
    settings
        .loop()
        .execute(
            () -> {
              StoredTier tier = new StoredTier(memory, store, settings, statistics);
              tier.ended.whenComplete((nothing, why) -> opened.completeExceptionally(why));
              tier.loop.run(() -> tier.begin(opened, MARKER_READS));
            });
    return opened;
  }

  /** Fails if the tier ends by itself: an exception has left its state unknown. */
  public CompletableFuture<Void> ended() {
    return ended;
  }

  /** Ends all work; what is under way gets no answer, and does nothing any more. Thread-safe. */
  public void close() {
    loop.execute(
        () -> {
          unsettled.end();
          loop.close();
        });
  }

  private void begin(CompletableFuture<StoredTier> opened, int reads) {
    marker.read(
        end -> {
          if (end.status() == Status.DONE) {
            unsettled.emptyMemory();
          }
          if (end.status() == Status.DONE || end.status() == Status.NOT_FOUND) {
            opened.complete(this);
          } else if (reads > 1) {
            begin(opened, reads - 1);
          } else {
            opened.completeExceptionally(new IOException("the persistent store does not answer"));
          }
        });
  }

  /** As memory, but unknown where memory lacks the object, because the store may have it. */
  @Override
  public long readBytes(Key key) {
    long bytes = memory.readBytes(key);
    return bytes == 0 ? UNKNOWN : bytes;
  }

  @Override
  public long writeBytes(Key key, int valueBytes) {
    return memory.writeBytes(key, valueBytes) + valueBytes;
  }

  @Override
  public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
    if (OwnKeys.isOwn(key)) {
      done.accept(new GetOutcome.None(Status.NOT_FOUND));
      return;
    }
    if (loop.isEnded()) {
      done.accept(new GetOutcome.None(Status.UNAVAILABLE));
      return;
    }
    Consumer<GetOutcome> leaving = leaving(key, done);
    Integer exptime = options.exptime();
    if (exptime != null) {
      alone(key, () -> touches.touch(key, options, exptime, leaving));
    } else {
      loop.run(() -> turns.enterReading(key, () -> read(key, options, leaving)));
    }
  }

  private void alone(Key key, Runnable body) {
    loop.run(() -> turns.enterAlone(key, body));
  }

  private <T> Consumer<T> leaving(Key key, Consumer<T> done) {
    return outcome -> {
      turns.leave(key);
      done.accept(outcome);
    };
  }

  private void read(Key key, GetOptions options, Consumer<GetOutcome> done) {
    if (!unsettled.isTrusted(key)) {
      readThrough(key, options, Miss.UNASKED, done);
      return;
    }
    memory.get(
        key,
        options.withoutVivifying(),
        outcome -> {
          if (outcome instanceof GetOutcome.None none) {
            readThrough(key, options, Miss.of(none), done);
          } else {
            if (outcome instanceof GetOutcome.Found found) {
              statistics.answers().fromMemory(found.item().lengthBytes());
            }
            done.accept(outcome);
          }
        });
  }

  private void readThrough(Key key, GetOptions options, Miss miss, Consumer<GetOutcome> done) {
    through.join(
        key,
        miss,
        result -> {
          PersistentRecord record = result.record();
          if (record == null) {
            missing(key, options, result.status(), done);
            return;
          }
          statistics.answers().fromStore(record.value().length);
          if (!result.inMemory()) {
            done.accept(told(record, options));
            return;
          }
          // memory's version, and its choice of the client that recomputes
          memory.get(
              key,
              options.withoutVivifying(), // memory may have lost it again, but the store has it
              outcome ->
                  done.accept(
                      outcome instanceof GetOutcome.Found ? outcome : told(record, options)));
        });
  }

  private GetOutcome told(PersistentRecord record, GetOptions options) {
    return Copies.told(record, options, record.timestamp(), access.nowSeconds());
  }

  private void missing(Key key, GetOptions options, Status status, Consumer<GetOutcome> done) {
    if (status == Status.NOT_FOUND) {
      through.absent(key, options, done);
    } else {
      done.accept(new GetOutcome.None(status));
    }
  }

  /** Inspects only memory. */
  @Override
  public void inspect(Key key, Consumer<String> done) {
    loop.run(() -> turns.enterReading(key, () -> memory.inspect(key, leaving(key, done))));
  }

  @Override
  public void store(StoreCommand command, Consumer<WriteOutcome> done) {
    boolean isBlind = command.mode() == StoreMode.SET && !command.invalidates();
    change(command.key(), new Changes.Store(command), isBlind, done);
  }

  @Override
  public void delete(DeleteCommand command, Consumer<WriteOutcome> done) {
    change(command.key(), new Changes.Delete(command), false, done);
  }

  @Override
  public void arithmetic(ArithmeticCommand command, Consumer<NumberOutcome> done) {
    change(command.key(), new Arithmetic(command), false, done);
  }

  private <T> void change(Key key, Changes<T> change, boolean isBlind, Consumer<T> done) {
    if (OwnKeys.isOwn(key)) {
      done.accept(change.outcome(Status.NOT_STORED, 0));
      return;
    }
    if (loop.isEnded()) {
      done.accept(change.outcome(Status.UNAVAILABLE, 0));
      return;
    }
    Consumer<WriteOutcome> end =
        outcome -> done.accept(change.outcome(outcome.status(), outcome.cas()));
    alone(key, () -> changes.change(key, change, isBlind, leaving(key, end)));
  }

  /** The statistics of memory's servers. */
  @Override
  public void statistics(String group, Consumer<Map<String, Long>> done) {
    memory.statistics(group, done);
  }

  /** Empties memory. The store keeps its objects, and reads load them from there again. */
  @Override
  public void flushAll(int delaySeconds, Consumer<WriteOutcome> done) {
    loop.run(() -> memory.flushAll(delaySeconds, done));
  }
}
