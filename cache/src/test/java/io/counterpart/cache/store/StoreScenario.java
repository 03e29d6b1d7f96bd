package io.counterpart.cache.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Clients, a store and a memory that fail, and perhaps a proxy that dies, step by step at random.
 * Everything runs on one event loop, and answers come in any order.
 */
final class StoreScenario implements AutoCloseable {
  private static final StoreLimits LIMITS =
      new StoreLimits(6, 12, 6, 12, Duration.ofSeconds(60), 16, Duration.ofMillis(1));
  private static final int KEYS = 24;
  private static final int COUNTERS = 4;
  private static final int STEPS_AT_ONCE = 100;
  private static final int MICROS_A_STEP = 1000;

  private final Random random;
  private final boolean proxyDies;
  private final EventLoop loop = new DefaultEventLoop();
  private final RegisterModel registers = new RegisterModel();
  private final CounterModel counters = new CounterModel();
  final FakeStore store = FakeStore.told();
  final ToyMemory memory = new ToyMemory();
  private long clockMicros = System.currentTimeMillis() * 1000;
  private Mortal life;
  private CompletableFuture<StoredTier> opening;
  private StoreStatistics statistics;
  private boolean storeIsDown;
  private boolean memoryIsFull;
  private int deaths;
  private long acknowledged;

  StoreScenario(Random random, boolean proxyDies) {
    this.random = random;
    this.proxyDies = proxyDies;
    memory.answersAtOnce(false);
    begin();
  }

  private void begin() {
    life = new Mortal(memory, store);
    statistics = new StoreStatistics();
    StoreSettings settings = new StoreSettings(LIMITS, 0, loop, () -> clockMicros, () -> true);
    opening = StoredTier.open(life, life, settings, statistics);
  }

  /** Runs, then mends everything and reads every key, with memory's content and without. */
  List<String> problems(int steps) {
    for (int i = 0; i < steps; i += STEPS_AT_ONCE) {
      onLoop(
          () -> {
            for (int j = 0; j < STEPS_AT_ONCE; j++) {
              step();
            }
          });
    }
    onLoop(
        () -> {
          storeIsDown = false;
          memory.full(false);
          memoryReturns();
        });
    settle();
    readAll();
    onLoop(memory::loseAll);
    readAll();
    List<String> problems = new ArrayList<>(registers.problems());
    problems.addAll(counters.problems());
    return problems;
  }

  private void onLoop(Runnable body) {
    try {
      loop.submit(body).get(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("a step has failed", e);
    }
  }

  private void settle() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    boolean[] settled = new boolean[1];
    while (!settled[0]) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("no end: " + this);
      }
      onLoop(
          () -> {
            for (int i = 0; i < 1000; i++) {
              store.endOne(random, 0);
              store.oneArrives(random);
              memory.answerOne();
            }
            if (opening.isCompletedExceptionally()) {
              begin();
            }
            settled[0] =
                opening.isDone()
                    && !opening.isCompletedExceptionally()
                    && statistics.unsettledKeys().sum() == 0
                    && store.underWay() == 0;
          });
    }
  }

  private void readAll() {
    onLoop(
        () -> {
          for (int i = 0; i < KEYS; i++) {
            read(opening.join(), "key-" + i);
            for (int j = 0; j < 10; j++) {
              store.endOne(random, 0);
              memory.answerOne();
            }
          }
        });
    settle();
  }

  private void step() {
    clockMicros += MICROS_A_STEP;
    int choice = random.nextInt(1000);
    if (choice < 300) {
      operate();
    } else if (choice < 600) {
      store.endOne(random, storeIsDown ? 100 : 3);
    } else if (choice < 950) {
      memory.answerOne();
    } else if (choice < 970) {
      store.oneArrives(random);
    } else if (choice < 975) {
      storeIsDown = !storeIsDown;
    } else if (choice < 980) {
      if (memory.isDown()) {
        memoryReturns();
      } else {
        memory.down(true);
      }
    } else if (choice < 983) {
      memoryIsFull = !memoryIsFull;
      memory.full(memoryIsFull);
    } else if (choice < 994) {
      memory.loseSome(random);
    } else if (choice < 996) {
      memory.loseAll();
    } else if (proxyDies) {
      die();
    }
  }

  /**
   * Brings memory back. If a proxy died in between, its content may be older than values that
   * clients have seen; then only an empty memory is promised to be right.
   */
  private void memoryReturns() {
    if (deaths > 0) {
      memory.loseAll();
    }
    memory.down(false);
  }

  private void die() {
    deaths++;
    life.die();
    memory.abandonAll();
    store.abandonAll(random);
    registers.forgetWriters();
    counters.forgetWriters();
    clockMicros += 1_000_000;
    begin();
  }

  private void operate() {
    if (!opening.isDone()) {
      return;
    }
    if (opening.isCompletedExceptionally()) {
      begin();
      return;
    }
    StoredTier tier = opening.join();
    String key = "key-" + random.nextInt(KEYS);
    int choice = random.nextInt(10);
    if (choice < 5) {
      read(tier, key);
    } else if (choice < 6) {
      count(tier, "counter-" + random.nextInt(COUNTERS));
    } else if (!registers.isWriting(key)) {
      write(tier, key, choice == 9);
    }
  }

  private void read(StoredTier tier, String key) {
    long floor = registers.floor(key);
    Mortal reader = life;
    tier.get(
        Key.of(key),
        GetOptions.PLAIN,
        outcome -> {
          if (reader != life) {
            return;
          }
          if (outcome instanceof GetOutcome.Found found) {
            registers.found(key, floor, found.value().toString(ISO_8859_1));
            found.value().release();
          } else if (((GetOutcome.None) outcome).status() == Status.NOT_FOUND) {
            registers.foundAbsent(key, floor);
          }
        });
  }

  private void write(StoredTier tier, String key, boolean deletes) {
    long floor = registers.floor(key);
    long number = registers.beginWrite(key, deletes);
    if (deletes) {
      tier.delete(
          DeleteCommand.of(Key.of(key)),
          outcome -> {
            if (outcome.status() == Status.NOT_FOUND) {
              registers.failed(key);
              registers.foundAbsent(key, floor);
            } else {
              endWrite(key, number, outcome.status());
            }
          });
    } else {
      tier.store(
          new StoreCommand(
              Key.of(key),
              StoreMode.SET,
              0,
              0,
              0,
              false,
              Unpooled.copiedBuffer(RegisterModel.value(key, number), ISO_8859_1)),
          outcome -> endWrite(key, number, outcome.status()));
    }
  }

  private void endWrite(String key, long number, Status status) {
    if (status == Status.DONE) {
      acknowledged++;
      registers.acknowledged(key, number);
    } else {
      registers.failed(key);
    }
  }

  private void count(StoredTier tier, String key) {
    if (counters.isBusy(key)) {
      return;
    }
    counters.begin(key);
    tier.arithmetic(
        new ArithmeticCommand(Key.of(key), true, 1, new ArithmeticCommand.Initial(1, 0), null, 0),
        outcome -> {
          if (outcome.status() == Status.DONE) {
            counters.counted(key, outcome.number());
          } else {
            counters.failed(key);
          }
        });
  }

  long acknowledgedWrites() {
    return acknowledged;
  }

  long checkedReads() {
    return registers.reads();
  }

  int deaths() {
    return deaths;
  }

  @Override
  public String toString() {
    return "%d requests under way, %d unsettled keys, opened: %s"
        .formatted(store.underWay(), statistics.unsettledKeys().sum(), opening.isDone());
  }

  @Override
  public void close() {
    loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
