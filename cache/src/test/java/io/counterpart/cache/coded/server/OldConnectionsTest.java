package io.counterpart.cache.coded.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OldConnectionsTest {
  private static final int PORT = 40_001;

  private long nowNanos = Long.MAX_VALUE - 50; // clocks may wrap
  private final OldConnections old = new OldConnections(() -> nowNanos);

  @Test
  void what_the_server_lists_no_more_is_done_with() {
    old.addOrphans(List.of(PORT, 40_002));

    assertThat(old.look(Map.of(PORT, 0, 40_003, 0))).isFalse();
    assertThat(old.ports()).containsExactly(PORT);
    assertThat(old.look(Map.of(40_003, 0))).isTrue();
  }

  @Test
  void a_silent_one_is_done_with_once_an_awake_server_does_nothing_of_it() {
    old.addSilent(List.of(PORT));

    assertThat(lookFor(1900, 90)).isFalse();
    assertThat(lookFor(200, 90)).isTrue();
  }

  @Test
  void a_server_that_has_slept_may_have_it_unread() {
    old.addSilent(List.of(PORT));
    lookFor(1500, 90);

    nowNanos += Duration.ofSeconds(1000).toNanos() / 10;
    assertThat(lookFor(1900, 90)).isFalse();
    assertThat(lookFor(200, 90)).isTrue();
  }

  @Test
  void a_silent_one_that_the_server_still_works_on_is_awaited() {
    old.addSilent(List.of(PORT));

    assertThat(lookFor(110_000, 0)).isFalse();
    assertThat(lookFor(100, 2)).isTrue();
  }

  @Test
  void an_orphan_gets_bytes_until_its_kernel_gives_up() {
    old.addOrphans(List.of(PORT));

    assertThat(lookFor(121_000, 90)).isFalse();
    assertThat(old.longest()).isLessThan(Duration.ofSeconds(120));
    assertThat(lookFor(1100, 90)).isTrue();
  }

  @Test
  void the_wait_ends_though_somebody_else_works_through_such_a_port() {
    old.addSilent(List.of(PORT));

    assertThat(lookFor(119_000, 0)).isFalse();
    assertThat(lookFor(1100, 0)).isTrue();
  }

  @Test
  void without_a_list_they_may_be_there_until_time_ends_them() {
    old.addSilent(List.of(PORT));

    assertThat(lookWithoutListFor(119_000)).isFalse();
    assertThat(lookWithoutListFor(1100)).isTrue();
  }

  /** A server that wakes has not yet read the bytes that it got before. */
  @Test
  void sleep_is_no_part_of_the_longest_wait() {
    old.addSilent(List.of(PORT));

    nowNanos += Duration.ofSeconds(200).toNanos();
    assertThat(lookFor(110_000, 0)).as("it works on it").isFalse();
    nowNanos += Duration.ofSeconds(200).toNanos();
    assertThat(lookWithoutListFor(2000)).as("it does not tell").isFalse();
    assertThat(old.longest()).isGreaterThan(Duration.ofSeconds(110));
    assertThat(lookFor(2500, 2)).isTrue();
  }

  @Test
  void reads_the_list_of_memcached() {
    ListedConnections listed = new ListedConnections();
    for (String line :
        List.of(
            "22:addr tcp:0.0.0.0:11211",
            "22:state conn_listening",
            "22:secs_since_last_cmd 1000",
            "26:addr tcp:127.0.0.1:40001",
            "26:listen_addr tcp:127.0.0.1:11211",
            "26:state conn_read",
            "26:secs_since_last_cmd 7",
            "27:addr tcp6:[::1]:40001",
            "27:secs_since_last_cmd 3",
            "28:addr tcp:10.0.0.1:40002",
            "29:addr unix:/tmp/socket")) {
      listed.line(line);
    }

    assertThat(listed.idleSeconds()).isEqualTo(Map.of(11211, 1000, PORT, 3, 40_002, 0));
  }

  private boolean lookWithoutListFor(int millis) {
    boolean isDone = false;
    for (int passed = 0; passed < millis && !isDone; passed += 50) {
      nowNanos += Duration.ofMillis(50).toNanos();
      isDone = old.lookWithoutList();
    }
    return isDone;
  }

  private boolean lookFor(int millis, int idleSeconds) {
    boolean isDone = false;
    for (int passed = 0; passed < millis && !isDone; passed += 50) {
      nowNanos += Duration.ofMillis(50).toNanos();
      isDone = old.look(Map.of(PORT, idleSeconds));
    }
    return isDone;
  }
}
