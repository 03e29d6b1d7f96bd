package io.counterpart.cache.coded.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MissingMarkTest {
  @Test
  void a_server_was_emptied_within_its_lease_or_is_not_relied_on() {
    assertThat(MissingMark.of(false, false, false, true)).isEqualTo(MissingMark.EMPTIED);
    assertThat(MissingMark.of(false, false, false, false)).isEqualTo(MissingMark.UNRELIABLE);
  }

  @Test
  void a_mark_that_a_refusal_has_dropped_counts_until_it_is_there_again() {
    assertThat(MissingMark.of(false, true, true, true)).isEqualTo(MissingMark.DROPPED);
    assertThat(MissingMark.of(true, true, true, true)).isEqualTo(MissingMark.DROPPED);
  }

  /** The mark of another owner may have been dropped as well, by a refused note of its own. */
  @Test
  void no_lease_that_is_over_is_renewed_without_a_mark() {
    assertThat(MissingMark.of(false, true, true, false)).isEqualTo(MissingMark.UNRELIABLE);
    assertThat(MissingMark.of(true, true, true, false)).isEqualTo(MissingMark.UNRELIABLE);
  }

  @Test
  void a_mark_that_is_being_written_may_be_there() {
    assertThat(MissingMark.of(false, true, false, true)).isEqualTo(MissingMark.IN_WRITING);
  }

  /** The answer came after the end of the note. */
  @Test
  void a_mark_that_was_being_written_when_it_was_asked_for_may_be_there_by_now() {
    assertThat(MissingMark.of(true, false, false, true)).isEqualTo(MissingMark.OUTDATED);
    assertThat(MissingMark.of(true, false, true, false)).isEqualTo(MissingMark.OUTDATED);
  }
}
