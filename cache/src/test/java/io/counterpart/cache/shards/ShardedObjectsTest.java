package io.counterpart.cache.shards;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.WriteOutcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several shards as one tier, all on the test's thread. */
class ShardedObjectsTest {
  private static final int KEYS = 10_000;

  /** Kinds of {@link NotingTier} that concern one key. */
  private static final int KINDS_OF_KEYS = 7;

  private final ArrayDeque<Runnable> held = new ArrayDeque<>();

  private static List<NotingTier> answering(int shards) {
    return IntStream.range(0, shards).mapToObj(i -> new NotingTier(Runnable::run)).toList();
  }

  private List<NotingTier> holding(int shards) {
    return IntStream.range(0, shards).mapToObj(i -> new NotingTier(held::add)).toList();
  }

  private static ShardedObjects of(List<NotingTier> shards) {
    return new ShardedObjects(List.copyOf(shards));
  }

  private static List<String> names(NotingTier tier) {
    return tier.asked.stream().map(NotingTier.Asked::name).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 16})
  void shards_have_about_as_many_keys(int shards) {
    List<NotingTier> tiers = answering(shards);
    ShardedObjects objects = of(tiers);

    for (int i = 0; i < KEYS; i++) {
      objects.inspect(Key.of("key-" + i), outcome -> {});
    }

    double expected = (double) KEYS / shards;
    double deviation = Math.sqrt(expected * (1 - 1.0 / shards));
    assertThat(tiers)
        .allSatisfy(
            tier ->
                assertThat(Math.abs(tier.asked.size() - expected))
                    .isLessThanOrEqualTo(4 * deviation));
    // a shard of which some rings had no keys would use some of its servers only
    assertThat(tiers)
        .allSatisfy(
            tier ->
                assertThat(names(tier).stream().map(name -> ring(name, shards)).distinct())
                    .hasSize(shards));
    assertThat(tiers.stream().flatMap(tier -> names(tier).stream()))
        .hasSize(KEYS)
        .doesNotHaveDuplicates();
  }

  private static int ring(String name, int rings) {
    return KeyHash.ring(KeyHash.of(Key.of(name).bytes()), rings);
  }

  @Test
  void a_key_has_one_shard_for_all_operations() {
    List<NotingTier> tiers = answering(4);
    ShardedObjects objects = of(tiers);

    for (int kind = 0; kind < KINDS_OF_KEYS; kind++) {
      for (int i = 0; i < 100; i++) {
        NotingTier.operate(objects, kind, Integer.toString(i), outcome -> {});
      }
    }

    for (NotingTier tier : tiers) {
      List<String> keys = names(tier).subList(0, tier.asked.size() / KINDS_OF_KEYS);
      assertThat(keys).isNotEmpty().doesNotHaveDuplicates();
      for (int kind = 0; kind < KINDS_OF_KEYS; kind++) {
        assertThat(names(tier).subList(kind * keys.size(), (kind + 1) * keys.size()))
            .isEqualTo(keys);
      }
      assertThat(tier.asked).hasSize(KINDS_OF_KEYS * keys.size());
    }
  }

  @Test
  void the_shard_of_a_key_bounds_the_memory_of_its_requests() {
    List<NotingTier> tiers = answering(3);
    for (int shard = 0; shard < tiers.size(); shard++) {
      int number = shard;
      tiers.get(shard).readBytes = key -> number;
    }
    ShardedObjects objects = of(tiers);

    for (int i = 0; i < 100; i++) {
      String name = Integer.toString(i);
      NotingTier.operate(objects, 3, name, outcome -> {});
      int shard = (int) objects.readBytes(Key.of(name));
      assertThat(tiers.get(shard).asked)
          .last()
          .isEqualTo(new NotingTier.Asked("inspect", name, ""));
      assertThat(objects.writeBytes(Key.of(name), 100)).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void flush_all_asks_all_shards_at_once_and_tells_the_worst_when_all_have_answered(int failing) {
    List<NotingTier> tiers = holding(3);
    tiers.get(failing).flushed = Status.UNAVAILABLE;
    List<WriteOutcome> outcomes = new ArrayList<>();

    of(tiers).flushAll(30, outcomes::add);

    assertThat(tiers)
        .allSatisfy(
            tier ->
                assertThat(tier.asked).containsExactly(new NotingTier.Asked("flushAll", "30", "")));
    held.removeLast().run();
    held.removeFirst().run();
    assertThat(outcomes).isEmpty();
    held.remove().run();
    assertThat(outcomes).containsExactly(WriteOutcome.not(Status.UNAVAILABLE));
  }

  @Test
  void flush_all_is_done_if_all_shards_are() {
    List<WriteOutcome> outcomes = new ArrayList<>();

    of(answering(3)).flushAll(0, outcomes::add);
    of(answering(1)).flushAll(0, outcomes::add);

    assertThat(outcomes).containsOnly(new WriteOutcome(Status.DONE, 0)).hasSize(2);
  }

  @Test
  void statistics_are_sums_and_ages_and_sizes_are_the_largest() {
    List<NotingTier> tiers = holding(3);
    tiers.get(0).numbers =
        slabs("1:chunk_size", 96, "1:used_chunks", 5, "active_slabs", 1, "total_malloced", 1000);
    tiers.get(1).numbers = Map.of();
    tiers.get(2).numbers =
        slabs(
            "1:chunk_size",
            96,
            "1:used_chunks",
            7,
            "2:chunk_size",
            120,
            "active_slabs",
            2,
            "total_malloced",
            2000);
    List<Map<String, Long>> sums = new ArrayList<>();

    of(tiers).statistics("slabs", sums::add);

    assertThat(tiers)
        .allSatisfy(
            tier ->
                assertThat(tier.asked)
                    .containsExactly(new NotingTier.Asked("statistics", "slabs", "")));
    held.remove().run();
    held.remove().run();
    assertThat(sums).isEmpty();
    held.remove().run();
    assertThat(sums)
        .singleElement()
        .isEqualTo(
            slabs(
                "1:chunk_size",
                96,
                "1:used_chunks",
                12,
                "2:chunk_size",
                120,
                "active_slabs",
                2,
                "total_malloced",
                3000));
    assertThat(sums.get(0).keySet()).endsWith("active_slabs", "total_malloced");
  }

  @Test
  void ages_of_items_are_the_largest() {
    List<NotingTier> tiers = answering(2);
    tiers.get(0).numbers = slabs("items:1:number", 3, "items:1:age", 70);
    tiers.get(1).numbers = slabs("items:1:number", 4, "items:1:age", 50);
    List<Map<String, Long>> sums = new ArrayList<>();

    of(tiers).statistics("items", sums::add);

    assertThat(sums).containsExactly(slabs("items:1:number", 7, "items:1:age", 70));
  }

  /** They would look like those of all. */
  @Test
  void plain_statistics_of_some_shards_are_not_told() {
    List<NotingTier> tiers = answering(3);
    List<Map<String, Long>> sums = new ArrayList<>();

    of(tiers).statistics("", sums::add);
    tiers.get(1).numbers = Map.of();
    of(tiers).statistics("", sums::add);
    of(tiers).statistics("items", sums::add);

    assertThat(sums).containsExactly(Map.of("number", 3L), Map.of(), Map.of("number", 2L));
  }

  /** Numbers by name, in order. */
  private static Map<String, Long> slabs(Object... namesAndNumbers) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    for (int i = 0; i < namesAndNumbers.length; i += 2) {
      numbers.put((String) namesAndNumbers[i], ((Integer) namesAndNumbers[i + 1]).longValue());
    }
    return numbers;
  }
}
