package io.counterpart.lab.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.testkit.random.SeededRandom;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class StalenessCheckTest {
  private static final int WRITER = 1;
  private static final int READER = 2;
  private static final long MILLI = 1_000_000;

  @Test
  void a_read_that_starts_after_the_acknowledgement_must_return_the_version() {
    List<TimedWrite> writes = List.of(write(1, 0, 10), write(2, 20, 30));

    assertThat(check(writes, read(READER, 31, 40, 1)).stale()).isEqualTo(1);
    assertThat(check(writes, read(READER, 31, 40, 2)).isFresh()).isTrue();
    // begun before the acknowledgement, so either version is right
    assertThat(check(writes, read(READER, 30, 40, 1)).isFresh()).isTrue();
    assertThat(check(writes, read(READER, 5, 7, 0)).isFresh()).isTrue();
    assertThat(check(writes, read(READER, 5, 7, 1)).isFresh()).isTrue();
  }

  @Test
  void a_write_without_acknowledgement_may_be_seen_or_not() {
    List<TimedWrite> writes = List.of(write(1, 0, 10), write(2, 20, TimedWrite.NEVER));

    assertThat(check(writes, read(READER, 50, 60, 1)).isFresh()).isTrue();
    assertThat(check(writes, read(READER, 50, 60, 2)).isFresh()).isTrue();
  }

  @Test
  void says_how_far_behind_and_for_how_long() {
    List<TimedWrite> writes =
        List.of(write(1, 0, MILLI), write(2, 2 * MILLI, 3 * MILLI), write(3, 4 * MILLI, 5 * MILLI));

    StalenessReport report = check(writes, read(READER, 10 * MILLI, 11 * MILLI, 1));

    assertThat(report.mostVersionsBehind()).isEqualTo(2);
    assertThat(report.oldestMillis()).isEqualTo(7);
    assertThat(report)
        .hasToString(
            "1 of 1 reads stale (100.0000 %, 2.5000 to 100.0000 % at 95 %), at most 2 versions and"
                + " 7.0 ms behind; 0 not monotonic, 0 missed own writes, 0 impossible");
  }

  @Test
  void a_session_must_see_its_own_writes() {
    List<TimedWrite> writes = List.of(write(1, 0, 10));

    assertThat(check(writes, read(WRITER, 11, 12, 0)).violations().missedOwnWrites()).isEqualTo(1);
    assertThat(check(writes, read(READER, 11, 12, 0)).violations().missedOwnWrites()).isZero();
  }

  @Test
  void a_session_must_not_go_back() {
    List<TimedWrite> writes = List.of(write(1, 0, 10), write(2, 20, 200));
    TimedRead newer = read(READER, 30, 40, 2);

    // the second version is not acknowledged yet: not stale, and yet wrong
    StalenessReport back = check(writes, newer, read(READER, 50, 60, 1));
    assertThat(back.stale()).isZero();
    assertThat(back.violations().nonMonotonic()).isEqualTo(1);
    assertThat(check(writes, newer, read(READER, 35, 60, 1)).isFresh()).isTrue();
    assertThat(check(writes, newer, read(3, 50, 60, 1)).isFresh()).isTrue();
  }

  @Test
  void sessions_are_told_apart_on_negative_keys() {
    List<TimedWrite> writes =
        List.of(new TimedWrite(WRITER, -7, 1, 0, 10), new TimedWrite(WRITER, -7, 2, 20, 200));

    StalenessReport report =
        check(
            writes, new TimedRead(READER, -7, 30, 40, 2), new TimedRead(READER + 1, -7, 50, 60, 1));

    assertThat(report.violations().nonMonotonic()).isZero();
  }

  @Test
  void a_version_that_nobody_sent_is_impossible() {
    List<TimedWrite> writes = List.of(write(1, 10, 20));

    assertThat(check(writes, read(READER, 0, 5, 1)).violations().impossible()).isEqualTo(1);
    assertThat(check(writes, read(READER, 30, 35, 2)).violations().impossible()).isEqualTo(1);
    assertThat(check(writes, read(READER, 30, 35, 2)).isFresh()).isFalse();
  }

  @Test
  void a_key_has_one_writer() {
    assertThatThrownBy(() -> check(List.of(write(1, 0, 1), new TimedWrite(5, 0, 2, 3, 4))))
        .hasMessageContaining("legal: one session for each key");
    assertThatThrownBy(() -> new TimedWrite(1, 0, 0, 1, 2)).hasMessageContaining("version is 0");
    assertThatThrownBy(() -> read(1, 5, 4, 0)).hasMessageContaining("from 5 to 4");
  }

  @Test
  void a_linearizable_run_passes(Random random) {
    StalenessReport report = new SimulatedRegister(random).run(0);

    assertThat(report.reads()).isGreaterThan(1_000);
    assertThat(report.isFresh()).as("%s", report).isTrue();
  }

  /** A third of the reads asks a replica that gets each version 50 ms late. */
  @Test
  void a_stale_replica_is_found(Random random) {
    StalenessReport report = new SimulatedRegister(random).run(50 * MILLI);

    assertThat(report.stale()).isGreaterThan(20);
    assertThat(report.violations().nonMonotonic()).isPositive();
    assertThat(report.violations().missedOwnWrites()).isPositive();
    assertThat(report.violations().impossible()).isZero();
    assertThat(report.oldestMillis()).isBetween(1.0, 51.0);
    assertThat(report.rate().low(0.95)).isPositive();
  }

  private static StalenessReport check(List<TimedWrite> writes, TimedRead... reads) {
    OperationHistory history = new OperationHistory();
    writes.forEach(history::add);
    List.of(reads).forEach(history::add);
    return history.check();
  }

  private static TimedWrite write(long version, long invoked, long acked) {
    return new TimedWrite(WRITER, 0, version, invoked, acked);
  }

  private static TimedRead read(int session, long started, long ended, long version) {
    return new TimedRead(session, 0, started, ended, version);
  }
}
