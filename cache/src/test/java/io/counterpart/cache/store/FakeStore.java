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
 * A store that ends its requests when and how a test says, in any order. What fails may be done, or
 * not, or later. Belongs to one thread.
 */
public final class FakeStore implements PersistentStore {
  private final Map<Key, Row> rows = new HashMap<>();
  private final List<Pending> pending = new ArrayList<>();
  private final List<Runnable> late = new ArrayList<>();
  private final boolean atOnce;

  /** Whether an acknowledged write is forgotten, to see that a checker notices. */
  private BooleanSupplier forgets = () -> false;

  private int reads;
  private int writes;

  private FakeStore(boolean atOnce) {
    this.atOnce = atOnce;
  }

  /** One that does all at once and never fails. */
  public static FakeStore atOnce() {
    return new FakeStore(true);
  }

  /** One that waits to be told. */
  static FakeStore told() {
    return new FakeStore(false);
  }

  private record Row(long version, PersistentRecord record) {}

  private record Pending(Runnable effect, Runnable success, CompletableFuture<?> stage) {}

  @Override
  public CompletionStage<Optional<PersistentRecord>> read(Key key) {
    reads++;
    CompletableFuture<Optional<PersistentRecord>> stage = new CompletableFuture<>();
    begin(new Pending(() -> {}, () -> stage.complete(record(key)), stage));
    return stage;
  }

  @Override
  public CompletionStage<Void> write(Key key, PersistentRecord record) {
    return change(key, new Row(record.version(), record));
  }

  @Override
  public CompletionStage<Void> delete(Key key, long version) {
    return change(key, new Row(version, null));
  }

  private CompletionStage<Void> change(Key key, Row row) {
    writes++;
    CompletableFuture<Void> stage = new CompletableFuture<>();
    Runnable effect = () -> rows.merge(key, row, (a, b) -> a.version() > b.version() ? a : b);
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
  void endOne(Random random, int failPercent) {
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

  /** Has some change arrive that had failed. */
  void oneArrives(Random random) {
    if (!late.isEmpty()) {
      late.remove(random.nextInt(late.size())).run();
    }
  }

  /** Ends all that is under way, and what comes of it. */
  void endAll() {
    while (!pending.isEmpty()) {
      end(pending.remove(0));
    }
  }

  void failAll() {
    while (!pending.isEmpty()) {
      fail(pending.remove(0));
    }
  }

  /** The client is gone: nobody is told, and each change is done or not. */
  void abandonAll(Random random) {
    pending.stream().filter(request -> random.nextBoolean()).forEach(r -> late.add(r.effect()));
    pending.clear();
  }

  void forgetsWhen(BooleanSupplier condition) {
    forgets = condition;
  }

  /** Puts an object there behind the tier's back. */
  void put(Key key, PersistentRecord record) {
    rows.put(key, new Row(record.version(), record));
  }

  /** Forgets everything. */
  public void clear() {
    rows.clear();
  }

  Optional<PersistentRecord> record(Key key) {
    return Optional.ofNullable(rows.get(key)).map(Row::record);
  }

  int underWay() {
    return pending.size();
  }

  int reads() {
    return reads;
  }

  int writes() {
    return writes;
  }

  @Override
  public void close() {}
}
