package io.counterpart.cache.store;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.store.StoreAccess.ReadEnd;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads from the store the objects that memory lacks. Concurrent reads of one key share one
 * request, and its result goes into memory unless memory has an object by then. Belongs to the
 * tier's event loop; the caller holds a turn of the key.
 */
final class ReadThrough {
  private final ObjectTier memory;
  private final StoreAccess access;
  private final UnsettledKeys unsettled;
  private final UndecidedKeys undecided;
  private final StoreStatistics statistics;
  private final Map<Key, List<Consumer<Result>>> underWay = new HashMap<>();

  ReadThrough(
      ObjectTier memory,
      StoreAccess access,
      UnsettledKeys unsettled,
      UndecidedKeys undecided,
      StoreStatistics statistics) {
    this.memory = memory;
    this.access = access;
    this.unsettled = unsettled;
    this.undecided = undecided;
    this.statistics = statistics;
  }

  /** Memory's answer for the key. */
  enum Miss {
    /** Memory has no such object. */
    ABSENT,
    /** Memory cannot answer: too many servers are down. */
    UNKNOWN,
    /** Memory was not asked, because its copy may be outdated. */
    UNASKED;

    static Miss of(GetOutcome.None none) {
      return none.status() == Status.NOT_FOUND ? ABSENT : UNKNOWN;
    }
  }

  /**
   * The result of a read.
   *
   * @param status as of {@link ReadEnd}
   * @param inMemory whether memory has the object now
   */
  record Result(Status status, @Nullable PersistentRecord record, boolean inMemory) {}

  /** Reads for clients, and shares requests. */
  void join(Key key, Miss miss, Consumer<Result> done) {
    List<Consumer<Result>> others = underWay.get(key);
    if (others != null) {
      statistics.joinedReads().increment();
      others.add(done);
      return;
    }
    List<Consumer<Result>> all = new ArrayList<>(1);
    all.add(done);
    underWay.put(key, all);
    read(
        key,
        miss,
        end -> {
          PersistentRecord record = end.record();
          if (record == null || miss != Miss.ABSENT) {
            tell(key, new Result(end.status(), record, false));
          } else {
            fill(key, record, filled -> tell(key, new Result(end.status(), record, filled)));
          }
        });
  }

  private void tell(Key key, Result result) {
    List<Consumer<Result>> all = underWay.remove(key);
    if (all != null) {
      all.forEach(one -> one.accept(result));
    }
  }

  private void fill(Key key, PersistentRecord record, Consumer<Boolean> done) {
    memory.store(
        Copies.command(key, StoreMode.ADD, record, access.nowSeconds()),
        outcome -> {
          if (outcome.status() == Status.DONE) {
            statistics.fills().increment();
          }
          done.accept(outcome.status() == Status.DONE || outcome.status() == Status.NOT_STORED);
        });
    if (record.stale()) {
      memory.delete(Copies.staleMark(key), Copies.IGNORED);
    }
  }

  /**
   * Reads without sharing, and leaves memory as it is: for a change, which has the key to itself.
   */
  void read(Key key, Miss miss, Consumer<ReadEnd> done) {
    access.read(
        key,
        end -> {
          boolean told = end.status() == Status.DONE || end.status() == Status.NOT_FOUND;
          if (told && miss == Miss.UNKNOWN && undecided.contains(key)) {
            // this client must not see the older value again when the servers come back
            unsettled.add(
                key, marked -> done.accept(marked ? end : ReadEnd.not(Status.STORE_UNAVAILABLE)));
          } else {
            done.accept(end);
          }
        });
  }

  /** Handles an absent object; memory first creates an empty one, if the client asks for that. */
  void absent(Key key, GetOptions options, Consumer<GetOutcome> done) {
    GetOutcome absent = new GetOutcome.None(Status.NOT_FOUND);
    if (options.vivify() == null || !unsettled.isTrusted(key)) {
      done.accept(absent);
    } else {
      memory.get(
          key,
          options,
          outcome -> done.accept(outcome instanceof GetOutcome.Found ? outcome : absent));
    }
  }
}
