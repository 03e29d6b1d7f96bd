package io.counterpart.cassandra.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.plan.GroupCounts;
import io.counterpart.core.ring.RingView;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiskGroupsTest {
  /** Arcs (40,10], (10,20], (20,30], (30,40]; node A leads the first and the third. */
  private final RingView<Integer> ring =
      RingView.of(
          List.of(10, 20, 30, 40),
          List.of(List.of("A", "B"), List.of("B", "A"), List.of("A", "C"), List.of("C", "B")),
          "A",
          100);

  @Test
  void one_directory_holds_every_owned_group() {
    assertThat(DiskGroups.within(ring, null, null)).isEqualTo(new GroupCounts(2, 1, 3));
  }

  @Test
  void a_slice_holds_the_groups_that_it_meets() {
    assertThat(DiskGroups.within(ring, null, 10)).isEqualTo(new GroupCounts(1, 0, 3));
    assertThat(DiskGroups.within(ring, 10, 20)).isEqualTo(new GroupCounts(0, 1, 3));
    assertThat(DiskGroups.within(ring, 15, 25)).isEqualTo(new GroupCounts(1, 1, 3));
  }

  @Test
  void the_arc_that_wraps_lies_in_the_first_and_the_last_slice() {
    assertThat(DiskGroups.within(ring, null, 5)).isEqualTo(new GroupCounts(1, 0, 3));
    assertThat(DiskGroups.within(ring, 32, null)).isEqualTo(new GroupCounts(1, 0, 3));
    assertThat(DiskGroups.within(ring, 32, 40)).isEqualTo(new GroupCounts(0, 0, 3));
  }
}
