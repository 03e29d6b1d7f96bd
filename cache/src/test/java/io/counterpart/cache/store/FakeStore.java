package io.counterpart.cache.store;

import io.counterpart.cache.protocol.Key;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/**
 * A store whose requests end when and how a test says, in any order. A failed request may have been
 * executed, or not, or may still be. Thread-safe.
 */
public final class FakeStore implements PersistentStore {
  private final Map<Key, Row> rows = new HashMap<>();
  private final List<Pending> pending = new ArrayList<>();
  private final List<Runnable> late = new ArrayList<>();
  private final boolean atOnce;

  /** Whether to forget an acknowledged write, to see that a checker notices. */
  private BooleanSupplier forgets = () -> false;

  private int reads;
  private int writes;

  private FakeStore(boolean atOnce) {
    this.atOnce = atOnce;
  }

  /** A store that does everything at once and never fails. */
  public static FakeStore atOnce() {
    return new FakeStore(true);
  }

  /** A store that waits for the test. */
  public static FakeStore told() {
    return new FakeStore(false);
  }

  private record Row(long timestamp, PersistentRecord record) {}

  private record Pending(Runnable effect, Runnable success, CompletableFuture<?> stage) {}

  @Override
  public synchronized CompletionStage<Optional<PersistentRecord>> read(Key key) {
    reads++;
    CompletableFuture<Optional<PersistentRecord>> stage = new CompletableFuture<>();
    begin(new Pending(() -> {}, () -> stage.complete(record(key)), stage));
    return stage;
  }

  @Override
  public synchronized CompletionStage<Void> write(Key key, PersistentRecord record) {
    return change(key, new Row(record.timestamp(), record));
  }

  @Override
  public synchronized CompletionStage<Void> delete(Key key, long timestamp) {
    return change(key, new Row(timestamp, null));
  }

  private CompletionStage<Void> change(Key key, Row row) {
    writes++;
    CompletableFuture<Void> stage = new CompletableFuture<>();
    Runnable effect = () -> rows.merge(key, row, (a, b) -> a.timestamp() > b.timestamp() ? a : b);
    begin(
        new Pending(forgets.getAsBoolean() ? () -> {} : effect, () -> stage.complete(null), stage));
    return stage;
  }

  private void begin(Pending request) {
    if (atOnce) {
      end(request);
    } else {
      pending.add(request);
    }
  }

  private static void end(Pending request) {
    request.effect().run();
    request.success().run();
  }

  private static void fail(Pending request) {
    request.stage().completeExceptionally(new IOException("made to fail"));
  }

  /** Ends some request under way, if there is one. */
  public synchronized void endOne(Random random, int failPercent) {
    if (pending.isEmpty()) {
      return;
    }
    Pending request = pending.remove(random.nextInt(pending.size()));
    if (random.nextInt(100) >= failPercent) {
      end(request);
      return;
    }
    switch (random.nextInt(3)) {
      case 0 -> late.add(request.effect());
      case 1 -> request.effect().run();
      default -> {
        // it never arrived
      }
    }
    fail(request);
  }

  /** Makes some failed change arrive. */
  synchronized void oneArrives(Random random) {
    if (!late.isEmpty()) {
      late.remove(random.nextInt(late.size())).run();
    }
  }

  /** Ends all requests under way, and those that follow from them. */
  public synchronized void endAll() {
    while (!pending.isEmpty()) {
      end(pending.remove(0));
    }
  }

  /** Fails all requests under way, without effect. */
  public synchronized void failAll() {
    while (!pending.isEmpty()) {
      fail(pending.remove(0));
    }
  }

  /**
   * Drops all requests, because the client is gone: each change is done or not, without an answer.
   */
  public synchronized void abandonAll(Random random) {
    pending.stream().filter(request -> random.nextBoolean()).forEach(r -> late.add(r.effect()));
    pending.clear();
  }

  synchronized void forgetsWhen(BooleanSupplier condition) {
    forgets = condition;
  }

  /** Writes an object behind the tier's back. */
  synchronized void put(Key key, PersistentRecord record) {
    rows.put(key, new Row(record.timestamp(), record));
  }

  /** Deletes everything. */
  public synchronized void clear() {
    rows.clear();
  }

  /** The record of a key. */
  public synchronized Optional<PersistentRecord> record(Key key) {
    return Optional.ofNullable(rows.get(key)).map(Row::record);
  }

  /** Number of requests under way. */
  public synchronized int underWay() {
    return pending.size();
  }

  synchronized int reads() {
    return reads;
  }

  /** Number of requested writes and deletions. */
  public synchronized int writes() {
    return writes;
  }

  @Override
  public void close() {}
}
