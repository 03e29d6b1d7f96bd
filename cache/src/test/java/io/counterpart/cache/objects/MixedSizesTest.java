package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.index.SlotClasses;
import io.counterpart.cache.tier.Status;
import io.counterpart.testkit.random.SeededRandom;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Real servers full of values of many sizes, each size in another slab class. Up to 32 KiB an
 * update in its slot class is never refused; above, a refused update harms no object.
 */
@ExtendWith(SeededRandom.class)
@Timeout(300)
class MixedSizesTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final int MEGABYTES = 64;
  private static final int AT_ONCE = 64;
  private static final int REFUSED_IN_A_ROW = 300;
  private static final int UPDATES = 8_000;
  private static final int LARGE_UPDATES = 500;
  private static final int CHANGES_OF_CLASS = 5_000;
  private static final int FEW_CHANGES = CHANGES_OF_CLASS / 100;

  @TempDir private Path directory;

  /** Distributions of value lengths. */
  enum Sizes {
    EVEN_100_TO_20000(false, 100, 20_000),
    LOGARITHMIC_100_TO_20000(true, 100, 20_000),
    EVEN_100_TO_1500(false, 100, 1_500),
    EVEN_33000_TO_400000(false, 33_000, 400_000);

    private final boolean logarithmic;
    private final int least;
    private final int most;

    Sizes(boolean logarithmic, int least, int most) {
      this.logarithmic = logarithmic;
      this.least = least;
      this.most = most;
    }

    int next(Random random) {
      return logarithmic
          ? (int) (least * Math.pow((double) most / least, random.nextDouble()))
          : least + random.nextInt(most - least + 1);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "EVEN_33000_TO_400000")
  void update_in_its_slot_class_is_never_refused(Sizes sizes, Random random) throws Exception {
    try (CodedServers servers =
            new CodedServers(5, "-I", "2m", "-M", "-m", Integer.toString(MEGABYTES));
        CodedClient client =
            new CodedClient(
                CodedClient.patientSettings(
                    CODE, servers, directory.resolve("metadata"), 32 << 20))) {
      Writing writing = new Writing(client, random);
      for (int i = 0; writing.refusedInARow < REFUSED_IN_A_ROW; i++) {
        writing.set("key-" + i, shortest(sizes.next(random)));
      }
      writing.end();
      List<String> keys = List.copyOf(writing.values.keySet());
      long bytes = writing.values.values().stream().mapToLong(value -> value.length).sum();
      assertThat(bytes * 5.0 / 3).as("bytes kept").isGreaterThan(0.4 * 5 * (MEGABYTES << 20));

      Writing same = update(writing, keys, UPDATES, MixedSizesTest::longest);
      assertThat(same.refused).as("updates refused in their slot class").isZero();

      Writing changes = update(same, keys, CHANGES_OF_CLASS, old -> sizes.next(random));
      assertThat(changes.refusedShorter).as("refused to shrink").isLessThan(FEW_CHANGES);

      Writing again = update(changes, keys, UPDATES, old -> withinClass(old, random));
      assertThat(again.refused).as("refused in their slot class again").isZero();
      checkAfterLosses(client, servers, again);
      assertThat(again.dropped).isEmpty();
    }
  }

  /**
   * Above 32 KiB an item is as long as its record, so a growing one may need a new chunk. If its
   * server refuses the new record after all, the old record is written back to its own chunk.
   */
  @Test
  void refused_update_of_a_large_object_harms_no_other(Random random) throws Exception {
    try (CodedServers servers =
            new CodedServers(5, "-I", "2m", "-M", "-m", Integer.toString(MEGABYTES));
        CodedClient client =
            new CodedClient(
                CodedClient.patientSettings(
                    CODE, servers, directory.resolve("metadata"), 32 << 20))) {
      Writing writing = new Writing(client, random);
      for (int i = 0; writing.refusedInARow < REFUSED_IN_A_ROW; i++) {
        writing.set("key-" + i, shortest(Sizes.EVEN_33000_TO_400000.next(random)));
      }
      writing.end();
      List<String> keys = List.copyOf(writing.values.keySet());

      Writing longer = update(writing, keys, LARGE_UPDATES, MixedSizesTest::longest);

      assertThat(longer.refused).as("some are refused").isPositive();
      checkAfterLosses(client, servers, longer);
      assertThat(longer.dropped).isEmpty();
    }
  }

  private static Writing update(
      Writing before, List<String> keys, int count, IntUnaryOperator length) {
    Writing updates = new Writing(before.client, before.random);
    updates.values.putAll(before.values);
    for (int i = 0; i < count; i++) {
      String key = keys.get(before.random.nextInt(keys.size()));
      byte[] old = updates.values.get(key);
      if (!updates.isUnderWay(key)) {
        updates.set(key, length.applyAsInt(old.length));
      }
    }
    updates.end();
    return updates;
  }

  /** A random length with a slot of the same class. */
  private static int withinClass(int valueBytes, Random random) {
    int least = shortest(valueBytes);
    return least + random.nextInt(longest(valueBytes) - least + 1);
  }

  private static int longest(int valueBytes) {
    return SlotClasses.slotBytes(SlotClasses.ofValue(valueBytes)) - SlotClasses.RECORD_HEADER_BYTES;
  }

  private static int shortest(int valueBytes) {
    int slotClass = SlotClasses.ofValue(valueBytes);
    return slotClass == 0
        ? 0
        : SlotClasses.slotBytes(slotClass - 1) - SlotClasses.RECORD_HEADER_BYTES + 1;
  }

  private static void checkAfterLosses(CodedClient client, CodedServers servers, Writing writing) {
    servers.kill(1);
    servers.kill(3);
    List<String> wrong = new ArrayList<>();
    SeveralAtOnce.ask(
        writing.values.keySet(),
        client::get,
        (key, got) -> {
          if (got.status() == Status.NOT_FOUND && writing.refusedKeys.contains(key)) {
            writing.dropped.add(key);
          } else if (!Arrays.equals(got.value(), writing.values.get(key))) {
            wrong.add(key + ": " + got.status());
          }
        });
    assertThat(wrong).isEmpty();
  }

  /**
   * Concurrent writes, with the last acknowledged value of each object, which a refused write
   * keeps.
   */
  private static final class Writing {
    private final CodedClient client;
    private final Random random;
    private final Map<String, byte[]> values = new TreeMap<>();

    private final ArrayDeque<UnderWay> underWay = new ArrayDeque<>();
    private final Set<String> keysUnderWay = new HashSet<>();
    private final Set<String> refusedKeys = new HashSet<>();
    private final Set<String> dropped = new HashSet<>();
    private int refused;
    private int refusedShorter;
    private int refusedInARow;

    private record UnderWay(String key, byte[] value, CompletableFuture<Status> status) {}

    Writing(CodedClient client, Random random) {
      this.client = client;
      this.random = random;
    }

    boolean isUnderWay(String key) {
      return keysUnderWay.contains(key);
    }

    void set(String key, int length) {
      byte[] value = new byte[length];
      random.nextBytes(value);
      underWay.add(new UnderWay(key, value, client.set(key, value)));
      keysUnderWay.add(key);
      if (underWay.size() == AT_ONCE) {
        take();
      }
    }

    void end() {
      while (!underWay.isEmpty()) {
        take();
      }
    }

    private void take() {
      UnderWay oldest = underWay.remove();
      keysUnderWay.remove(oldest.key());
      if (CodedClient.await(oldest.status()) == Status.DONE) {
        values.put(oldest.key(), oldest.value());
        refusedInARow = 0;
      } else {
        refused++;
        refusedKeys.add(oldest.key());
        byte[] before = values.get(oldest.key());
        refusedShorter += before != null && oldest.value().length < before.length ? 1 : 0;
        refusedInARow++;
      }
    }
  }
}
