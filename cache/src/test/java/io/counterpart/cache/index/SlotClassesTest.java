package io.counterpart.cache.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlotClassesTest {

  @Test
  void gives_every_record_the_smallest_slot_that_holds_it() {
    for (int length = 32; length <= SlotClasses.MAX_RECORD_BYTES; length++) {
      int slotClass = SlotClasses.of(length);
      assertThat(SlotClasses.slotBytes(slotClass)).isGreaterThanOrEqualTo(length);
      if (slotClass > 0) {
        assertThat(SlotClasses.slotBytes(slotClass - 1)).isLessThan(length);
      }
      length += length / 500; // all small ones, then a sample
    }
  }

  @Test
  void has_sizes_in_steps_of_8_that_grow_by_a_quarter_at_most() {
    assertThat(SlotClasses.slotBytes(0)).isEqualTo(32);
    assertThat(SlotClasses.slotBytes(SlotClasses.count() - 1)).isEqualTo(32 + (1 << 20));
    for (int slotClass = 1; slotClass < SlotClasses.count(); slotClass++) {
      int size = SlotClasses.slotBytes(slotClass);
      int smaller = SlotClasses.slotBytes(slotClass - 1);
      assertThat(size % 8).isZero();
      assertThat(size).isGreaterThan(smaller).isLessThanOrEqualTo((smaller * 5 / 4 + 7) / 8 * 8);
    }
  }

  @Test
  void has_as_many_slots_as_4_kib_hold() {
    assertThat(SlotClasses.slotsPerChunk(SlotClasses.of(32))).isEqualTo(128);
    assertThat(SlotClasses.slotsPerChunk(SlotClasses.of(88))).isEqualTo(46);
    assertThat(SlotClasses.slotsPerChunk(SlotClasses.of(1 << 20))).isEqualTo(1);
    for (int slotClass = 0; slotClass < SlotClasses.count(); slotClass++) {
      assertThat(SlotClasses.slotsPerChunk(slotClass)).isBetween(1, 128);
    }
  }

  @ParameterizedTest
  @CsvSource({"32, 4096, 0.06", "4097, 1048608, 0.10"})
  void wastes_no_more_of_its_slots_than_documented(int from, int to, double share) {
    long slots = 0;
    long records = 0;

    for (int length = from; length <= to; length++) {
      slots += SlotClasses.slotBytes(SlotClasses.of(length));
      records += length;
    }

    assertThat(1 - (double) records / slots).isBetween(share - 0.02, share);
  }

  /** Metadata on disk refer to classes by number. */
  @Test
  void the_largest_classes_keep_their_numbers() {
    assertThat(SlotClasses.count()).isEqualTo(67);
    assertThat(SlotClasses.slotBytes(64)).isEqualTo(868_480);
    assertThat(SlotClasses.slotBytes(65)).isEqualTo(24 + (1 << 20));
    assertThat(SlotClasses.ofValue(1 << 20)).isEqualTo(66);
  }

  @Test
  void refuses_records_of_no_class() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SlotClasses.of(1 << 21))
        .withMessage("record of 2097152 bytes, legal: 32 to 1048608");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SlotClasses.of(31))
        .withMessage("record of 31 bytes, legal: 32 to 1048608");
  }
}
