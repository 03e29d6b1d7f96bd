package io.counterpart.core.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OwnedRangesTest {
  private static final Map<String, String> TWO_DCS =
      Map.of("a", "dc1", "b", "dc1", "x", "dc2", "y", "dc2");

  @Test
  void is_primary_where_it_comes_first_within_its_own_datacenter() {
    ReplicatedRange behindTheOtherDatacenter = range(1, "x", "a", "b");
    ReplicatedRange behindItsNeighbour = range(2, "b", "x", "a");
    ReplicatedRange notItsOwn = range(3, "b", "x");

    OwnedRanges owned =
        OwnedRanges.of(
            List.of(notItsOwn, behindItsNeighbour, behindTheOtherDatacenter), "a", TWO_DCS);

    assertThat(owned.primary()).containsExactly(behindTheOtherDatacenter);
    assertThat(owned.redundant()).containsExactly(behindItsNeighbour);
    assertThat(owned.others()).containsExactly("b", "x");
  }

  @Test
  void knows_which_ranges_nobody_can_give() {
    OwnedRanges owned =
        OwnedRanges.of(List.of(range(1, "a", "b"), range(2, "a", "x")), "a", TWO_DCS);

    assertThat(owned.withoutSource(Set.of())).isEmpty();
    assertThat(owned.withoutSource(Set.of("b"))).containsExactly(new TokenRange(0, 1));
  }

  @Test
  void a_range_that_wraps_is_as_wide_as_what_the_others_leave() {
    long quarter = 1L << 62;

    assertThat(new TokenRange(0, quarter).ringFraction()).isCloseTo(0.25, within(1e-9));
    assertThat(new TokenRange(quarter, 0).ringFraction()).isCloseTo(0.75, within(1e-9));
    assertThat(new TokenRange(-quarter, quarter).ringFraction()).isCloseTo(0.5, within(1e-9));
    assertThat(new TokenRange(Long.MIN_VALUE, Long.MAX_VALUE).ringFraction())
        .isCloseTo(1, within(1e-9));
    assertThat(new TokenRange(5, 5).ringFraction()).isEqualTo(1);
  }

  @Test
  void tokens_of_other_partitioners_are_refused_with_their_text() {
    assertThat(TokenRange.parse("-3", "4")).isEqualTo(new TokenRange(-3, 4));
    assertThatThrownBy(() -> TokenRange.parse("6162", "99999999999999999999"))
        .hasMessageContaining("99999999999999999999");
  }

  @Test
  void estimates_the_rest_by_the_pace_so_far() {
    assertThat(RemainingTime.estimate(0.25, 1, Duration.ofSeconds(10)))
        .contains(Duration.ofSeconds(30));
    assertThat(RemainingTime.estimate(1, 1, Duration.ofSeconds(10))).contains(Duration.ZERO);
    assertThat(RemainingTime.estimate(0.001, 1, Duration.ofSeconds(10))).isEmpty();
  }

  private static ReplicatedRange range(long right, String... endpoints) {
    return new ReplicatedRange(new TokenRange(right - 1, right), List.of(endpoints));
  }
}
