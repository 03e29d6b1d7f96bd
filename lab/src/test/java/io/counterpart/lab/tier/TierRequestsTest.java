package io.counterpart.lab.tier;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.coding.CodeShape;
import java.util.List;
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
