package io.counterpart.lab.tier.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.lab.tier.network.TierNetwork;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TierRequestsTest {
  private static final CodeShape CODE = new CodeShape(5, 3);

  @Test
  void draws_the_same_again_and_the_share_that_was_asked_for() {
    TierRequests drawn = TierRequests.zipfian(1000, 20_000, 0.05, 7);
    TierRequests again = TierRequests.zipfian(1000, 20_000, 0.05, 7);
    TierRequests other = TierRequests.zipfian(1000, 20_000, 0.05, 8);

    assertThat(keys(drawn)).isEqualTo(keys(again)).isNotEqualTo(keys(other));
    assertThat(IntStream.of(keys(drawn))).allMatch(key -> key >= 0 && key < 1000);
    double writes = IntStream.range(0, drawn.count()).filter(drawn::isWrite).count() / 20_000.0;
    assertThat(writes).isBetween(0.04, 0.06);
    // the most popular of 1000 has some 13 % with theta 0.99
    long most =
        IntStream.of(keys(drawn))
            .boxed()
            .collect(Collectors.groupingBy(key -> key))
            .values()
            .stream()
            .mapToLong(List::size)
            .max()
            .orElseThrow();
    assertThat(most).isBetween(1_500L, 4_500L);
  }

  @Test
  void writes_or_reads_every_object_once() {
    TierRequests writes = TierRequests.all(3, true);
    TierRequests reads = TierRequests.all(3, false);

    assertThat(keys(writes)).containsExactly(0, 1, 2);
    assertThat(keys(reads)).containsExactly(0, 1, 2);
    assertThat(writes.isWrite(0)).isTrue();
    assertThat(reads.isWrite(0)).isFalse();
  }

  @Test
  void shares_are_of_nearly_one_size_and_each_key_is_in_one() {
    TierRequests drawn = TierRequests.zipfian(1000, 20_000, 0.5, 3);

    List<TierRequests> shares = drawn.shares(4);

    Map<Integer, List<Integer>> byKey = new HashMap<>();
    for (int share = 0; share < shares.size(); share++) {
      assertThat(shares.get(share).count()).isBetween(4_900, 5_100);
      for (int i = 0; i < shares.get(share).count(); i++) {
        int key = shares.get(share).key(i);
        int kind = shares.get(share).isWrite(i) ? 1 : 0;
        byKey.computeIfAbsent(key, k -> new ArrayList<>(List.of(share(shares, key)))).add(kind);
        assertThat(byKey.get(key).get(0)).isEqualTo(share);
      }
    }
    for (int i = 0; i < drawn.count(); i++) {
      List<Integer> kinds = byKey.get(drawn.key(i));
      assertThat(kinds.remove(1)).isEqualTo(drawn.isWrite(i) ? 1 : 0);
    }
    assertThat(byKey.values()).allMatch(kinds -> kinds.size() == 1);
    assertThat(drawn.shares(1)).containsExactly(drawn);
  }

  private static int share(List<TierRequests> shares, int key) {
    for (int share = 0; share < shares.size(); share++) {
      if (IntStream.of(keys(shares.get(share))).anyMatch(k -> k == key)) {
        return share;
      }
    }
    throw new AssertionError("key " + key + " is in no share");
  }

  @Test
  void keys_are_of_one_length() {
    TierData data = new TierData(new TierShape(CODE, 5, 10, 64, TierNetwork.DIRECT), 1);

    assertThat(new String(data.key(0), US_ASCII)).isEqualTo("user0000000000000000");
    assertThat(new String(data.key(1234567), US_ASCII)).isEqualTo("user0000000001234567");
  }

  @Test
  void shapes_out_of_range_are_refused() {
    assertThatThrownBy(() -> new TierShape(CODE, 4, 10, 64, TierNetwork.DIRECT))
        .hasMessage("servers 4: must be 5 to 1000");
    assertThatThrownBy(() -> new TierShape(CODE, 5, 0, 64, TierNetwork.DIRECT))
        .hasMessage("objects 0: must be 1 to 100000000");
    assertThatThrownBy(() -> new TierShape(CODE, 5, 10, 65, TierNetwork.DIRECT))
        .hasMessage("value bytes 65: must be a multiple of 8");
  }

  private static int[] keys(TierRequests requests) {
    return IntStream.range(0, requests.count()).map(requests::key).toArray();
  }
}
