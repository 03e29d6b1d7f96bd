package io.counterpart.cassandra.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.testkit.random.SeededRandom;
import java.io.IOError;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Files are numbers, those below 100 are placed by their bounds; a place is "ring:file". */
@ExtendWith(SeededRandom.class)
class PlacingTest {
  private static final int WIDE = 100;

  private final Object lock = new Object();
  private final TurnQueue turns = new TurnQueue();
  private final Mirror mirror = new Mirror();
  private final Placing<Integer, String> placing = new Placing<>(lock, mirror, turns);
  private final Set<Integer> unreadable = new HashSet<>();
  private final Set<Integer> gone = new HashSet<>();
  private Runnable whileReading = () -> {};

  @Test
  void places_by_bounds_at_once_and_the_rest_in_the_background() {
    placing.use(ring("r1"));

    mirror.add(1);
    mirror.add(WIDE);

    assertThat(placing.placeOf(1)).isEqualTo("r1:1");
    assertThat(placing.placeOf(WIDE)).isNull();
    assertThat(placing.isBusy()).isTrue();
    turns.runAll();
    assertThat(placing.placeOf(WIDE)).isEqualTo("r1:100");
    assertThat(placing.isBusy()).isFalse();
    assertThat(mirror.finished).isOne();
  }

  @Test
  void keeps_the_old_places_until_every_file_has_its_new_one() {
    placing.use(ring("r1"));
    int files = 3 * Placing.TURN_FILES;
    for (int file = 0; file < files; file++) {
      mirror.add(file);
    }
    turns.runAll();
    Ring r2 = ring("r2");

    placing.use(r2);
    turns.runNext();
    mirror.add(1000);

    assertThat(placing.placeOf(0)).isEqualTo("r1:0");
    assertThat(placing.placeOf(1000)).isNull();
    assertThat(placing.inForce()).isNotSameAs(r2);
    turns.runAll();
    assertThat(placing.inForce()).isSameAs(r2);
    assertThat(placing.placeOf(0)).isEqualTo("r2:0");
    assertThat(placing.placeOf(1000)).isEqualTo("r2:1000");
    assertThat(mirror.places)
        .hasSize(files + 1)
        .allSatisfy((file, place) -> assertThat(place).startsWith("r2"));
  }

  @Test
  void takes_the_newest_ring_when_it_changes_while_files_are_placed() {
    placing.use(ring("r1"));
    mirror.add(WIDE);
    turns.runAll();
    Ring r3 = ring("r3");
    placing.use(ring("r2"));
    whileReading = () -> placing.use(r3);

    turns.runAll();

    assertThat(placing.inForce()).isSameAs(r3);
    assertThat(placing.placeOf(WIDE)).isEqualTo("r3:100");
  }

  @Test
  void returns_to_the_ring_in_force_without_reading_anything() {
    Ring r1 = ring("r1");
    placing.use(r1);
    mirror.add(WIDE);
    turns.runAll();

    placing.use(ring("r2"));
    placing.use(r1);

    assertThat(placing.isBusy()).isFalse();
    turns.runAll();
    assertThat(placing.placeOf(WIDE)).isEqualTo("r1:100");
  }

  @Test
  void forgets_what_is_removed_while_it_is_read() {
    placing.use(ring("r1"));
    mirror.add(WIDE);
    whileReading = () -> mirror.remove(WIDE);

    turns.runAll();

    assertThat(placing.placeOf(WIDE)).isNull();
    assertThat(placing.contains(WIDE)).isFalse();
    assertThat(mirror.places).isEmpty();
  }

  @Test
  void comes_into_force_when_the_last_unplaced_file_is_removed() {
    placing.use(ring("r1"));
    mirror.add(WIDE);
    turns.runAll();
    Ring r2 = ring("r2");
    placing.use(r2);

    mirror.remove(WIDE);
    turns.runAll();

    assertThat(placing.inForce()).isSameAs(r2);
  }

  @Test
  void places_the_others_and_tries_an_unreadable_file_again() {
    placing.use(ring("r1"));
    unreadable.add(WIDE);
    for (int file = 99; file < 99 + Placing.TURN_FILES; file++) {
      mirror.add(file);
    }
    turns.runAll();
    Ring r2 = ring("r2");

    placing.use(r2);
    turns.runAll();

    assertThat(placing.inForce()).isSameAs(r2);
    assertThat(placing.placeOf(WIDE)).isNull();
    assertThat(placing.isBusy()).isFalse();
    assertThat(mirror.places).hasSize(Placing.TURN_FILES - 1);
    turns.passTime();
    assertThat(mirror.failures).containsExactly("100 once", "100 once", "100 twice");

    unreadable.clear();
    turns.passTime();
    assertThat(placing.placeOf(WIDE)).isEqualTo("r2:100");
  }

  @Test
  void forgets_a_file_that_is_gone_for_a_minute_without_notice() {
    placing.use(ring("r1"));
    mirror.add(WIDE);
    gone.add(WIDE);

    turns.runAll();
    assertThat(placing.contains(WIDE)).isTrue();
    turns.passTime();

    assertThat(placing.contains(WIDE)).isFalse();
    assertThat(mirror.failures).isEmpty();
  }

  @Test
  void is_incomplete_until_the_first_files_have_their_places() {
    mirror.add(1);
    mirror.add(WIDE);
    placing.use(ring("r1"));
    placing.start();

    assertThat(placing.isIncomplete()).isTrue();
    turns.runAll();
    assertThat(placing.isIncomplete()).isFalse();
    assertThat(mirror.completed).isOne();
    assertThat(mirror.places).hasSize(2);

    mirror.add(WIDE + 1);
    assertThat(placing.isIncomplete()).isFalse();
  }

  @Test
  void reads_nothing_after_it_is_closed() {
    placing.use(ring("r1"));
    mirror.add(WIDE);
    whileReading =
        () -> {
          throw new AssertionError("read after close");
        };

    placing.close();
    turns.runAll();
    turns.passTime();

    assertThat(mirror.failures).isEmpty();
    assertThat(mirror.places).isEmpty();
  }

  @Test
  void places_nothing_without_a_ring() {
    Ring r1 = ring("r1");
    placing.use(r1);
    mirror.add(WIDE);
    turns.runAll();

    placing.use(null);
    mirror.add(1);
    turns.runAll();

    assertThat(placing.inForce()).isNull();
    assertThat(mirror.places).isEmpty();
    placing.use(r1);
    turns.runAll();
    assertThat(mirror.places).hasSize(2);
  }

  @Test
  void agrees_with_a_naive_model_whatever_happens_when(Random random) {
    for (int round = 0; round < 200; round++) {
      new Rounds(random).run();
    }
  }

  /** Adds, removes, changes of the ring, failures and turns in random order, also during reads. */
  private static final class Rounds {
    private final PlacingTest test = new PlacingTest();
    private final Set<Integer> known = new HashSet<>();
    private final Random random;
    private final List<Ring> rings;
    private @Nullable Ring wanted;

    Rounds(Random random) {
      this.random = random;
      this.rings = List.of(test.ring("r1"), test.ring("r2"), test.ring("r3"));
      test.whileReading =
          () -> {
            if (random.nextInt(4) == 0) {
              change();
            }
          };
    }

    void run() {
      for (int step = 0; step < 100; step++) {
        if (random.nextInt(3) == 0) {
          test.turns.runNext();
        } else {
          change();
        }
        check();
      }
      test.whileReading = () -> {};
      test.unreadable.clear();
      test.turns.runAll();
      test.turns.passTime();
      check();
      assertThat(test.placing.inForce()).isSameAs(wanted);
      assertThat(test.mirror.places.keySet()).isEqualTo(wanted == null ? Set.of() : known);
    }

    private void change() {
      int file = random.nextInt(2 * WIDE);
      switch (random.nextInt(8)) {
        case 0, 1, 2, 3 -> {
          known.add(file);
          test.mirror.add(file);
        }
        case 4 -> {
          known.remove(file);
          test.mirror.remove(file);
        }
        case 5 -> {
          if (random.nextInt(4) == 0) {
            wanted = random.nextInt(8) == 0 ? null : rings.get(random.nextInt(rings.size()));
            test.placing.use(wanted);
          }
        }
        case 6 -> {
          if (!test.unreadable.remove(file)) {
            test.unreadable.add(file);
          }
        }
        default -> test.turns.passTime();
      }
    }

    private void check() {
      Ring inForce = (Ring) test.placing.inForce();
      for (int file = 0; file < 2 * WIDE; file++) {
        String place = test.placing.placeOf(file);
        assertThat(test.mirror.places.get(file)).isEqualTo(place);
        if (place != null) {
          assertThat(known).contains(file);
          assertThat(place).isEqualTo((inForce == null ? "" : inForce.name) + ":" + file);
        }
      }
    }
  }

  private Ring ring(String name) {
    return new Ring(name);
  }

  private final class Ring implements PlacingRules<Integer, String> {
    private final String name;

    Ring(String name) {
      this.name = name;
    }

    @Override
    public @Nullable String byBounds(Integer file) {
      return file < WIDE ? name + ":" + file : null;
    }

    @Override
    public @Nullable String byContent(Integer file) {
      if (Thread.holdsLock(lock)) {
        // not an AssertionError: that would count as an unreadable file
        throw new Error("lock held while a file is read");
      }
      whileReading.run();
      if (unreadable.contains(file)) {
        if (file % 2 == 0) {
          throw new IllegalStateException("bad");
        }
        throw new IOError(new IOException("bad"));
      }
      return gone.contains(file) ? null : name + ":" + file;
    }
  }

  /** What a strategy knows of the places by what it is told. */
  private final class Mirror implements PlacingListener<Integer, String> {
    private final Map<Integer, String> places = new HashMap<>();
    private final List<String> failures = new ArrayList<>();
    private int completed;
    private int finished;

    void add(int file) {
      String place = placing.add(file);
      if (place != null) {
        places.put(file, place);
      }
    }

    void remove(int file) {
      placing.remove(file);
      places.remove(file);
    }

    @Override
    public void placed(Integer file, String place) {
      assertThat(places.put(file, place)).isNull();
    }

    @Override
    public void replaced(Map<Integer, String> all) {
      places.clear();
      places.putAll(all);
    }

    @Override
    public void completed() {
      assertThat(placing.isBusy()).isFalse();
      completed++;
    }

    @Override
    public void forgotten(Integer file) {
      places.remove(file);
    }

    @Override
    public void failed(Integer file, Throwable cause, int attempts) {
      failures.add(file + (attempts == 1 ? " once" : attempts == 2 ? " twice" : " often"));
    }

    @Override
    public void finished() {
      assertThat(Thread.holdsLock(lock)).isFalse();
      finished++;
    }
  }

  /** Turns run when the test says so. */
  private static final class TurnQueue implements Placing.Turns {
    private final Deque<Runnable> soon = new ArrayDeque<>();
    private final Deque<Runnable> later = new ArrayDeque<>();

    @Override
    public void soon(Runnable turn) {
      assertThat(soon).as("turns in the queue").isEmpty();
      soon.add(turn);
    }

    @Override
    public void after(Duration delay, Runnable turn) {
      assertThat(later).as("retries in the queue").isEmpty();
      later.add(turn);
    }

    void runNext() {
      Runnable turn = soon.poll();
      if (turn != null) {
        turn.run();
      }
    }

    void runAll() {
      while (!soon.isEmpty()) {
        runNext();
      }
    }

    void passTime() {
      Runnable retry = later.poll();
      if (retry != null) {
        retry.run();
      }
      runAll();
    }
  }
}
