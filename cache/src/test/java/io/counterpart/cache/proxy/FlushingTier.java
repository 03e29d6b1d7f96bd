package io.counterpart.cache.proxy;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.store.FakeStore;
import io.counterpart.cache.store.StoreLimits;
import io.counterpart.cache.store.StoreSettings;
import io.counterpart.cache.store.StoreStatistics;
import io.counterpart.cache.store.StoredTier;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.NumberOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.WriteOutcome;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A tier with a store that is emptied with it, so that {@code flush_all} can be compared with
 * memcached's: it takes effect after earlier operations and before later ones.
 */
final class FlushingTier implements ObjectTier {
  private final ObjectTier tier;
  private final FakeStore store;
  private final ArrayDeque<Step> steps = new ArrayDeque<>();
  private int underWay;
  private boolean flushing;

  private FlushingTier(ObjectTier tier, FakeStore store) {
    this.tier = tier;
    this.store = store;
  }

  /** Puts a store behind a tier. */
  static ObjectTier of(ObjectTier memory, EventLoop loop) throws Exception {
    FakeStore store = FakeStore.atOnce();
    StoredTier tier =
        StoredTier.open(
                memory,
                store,
                new StoreSettings(
                    StoreLimits.DEFAULT,
                    0,
                    loop,
                    () -> System.currentTimeMillis() * 1000,
                    () -> true),
                new StoreStatistics())
            .get(40, TimeUnit.SECONDS);
    return new FlushingTier(tier, store);
  }

  private record Step(boolean flushes, Runnable body) {}

  private <T> void operate(Consumer<Consumer<T>> operation, Consumer<T> done) {
    steps.add(
        new Step(
            false,
            () -> {
              underWay++;
              operation.accept(
                  outcome -> {
                    underWay--;
                    done.accept(outcome);
                    goOn();
                  });
            }));
    goOn();
  }

  private void goOn() {
    while (!steps.isEmpty() && !flushing && !(steps.peek().flushes() && underWay > 0)) {
      steps.remove().body().run();
    }
  }

  @Override
  public void flushAll(int delaySeconds, Consumer<WriteOutcome> done) {
    if (delaySeconds > 0) {
      operate(ended -> tier.flushAll(delaySeconds, ended), done);
      return;
    }
    steps.add(
        new Step(
            true,
            () -> {
              flushing = true;
              store.clear();
              tier.flushAll(
                  delaySeconds,
                  outcome -> {
                    flushing = false;
                    done.accept(outcome);
                    goOn();
                  });
            }));
    goOn();
  }

  @Override
  public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
    operate(ended -> tier.get(key, options, ended), done);
  }

  @Override
  public void inspect(Key key, Consumer<String> done) {
    operate(ended -> tier.inspect(key, ended), done);
  }

  @Override
  public void store(StoreCommand command, Consumer<WriteOutcome> done) {
    operate(ended -> tier.store(command, ended), done);
  }

  @Override
  public void delete(DeleteCommand command, Consumer<WriteOutcome> done) {
    operate(ended -> tier.delete(command, ended), done);
  }

  @Override
  public void arithmetic(ArithmeticCommand command, Consumer<NumberOutcome> done) {
    operate(ended -> tier.arithmetic(command, ended), done);
  }
}
