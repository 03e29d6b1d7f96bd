package io.counterpart.cache.coded.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.ring.ServerId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TakeoversTest {
  private static final ServerId SERVER = new ServerId("10.0.0.1:11211");
  private static final ServerId UNOWNED = new ServerId("10.0.0.2:11211");

  @TempDir private Path directory;
  private long nowNanos = Long.MAX_VALUE - 50; // clocks may wrap
  private Takeovers takeovers;

  @BeforeEach
  void start() throws IOException {
    takeovers =
        new Takeovers(() -> nowNanos, Duration.ofNanos(100), LocalPorts.read(directory, "a"));
  }

  @Test
  void a_server_of_an_owner_that_has_ended_is_used_at_once() {
    assertThat(takeovers.left(SERVER)).isZero();
  }

  /** Nobody knows the time of a claim if the connection was lost before the answer. */
  @Test
  void the_wait_begins_when_the_own_mark_is_seen_and_is_not_cut_short() {
    takeovers.begin(SERVER);
    nowNanos += 500;
    assertThat(takeovers.left(SERVER)).isEqualTo(Duration.ofNanos(100));
    nowNanos += 60;
    assertThat(takeovers.left(SERVER)).as("connected anew").isEqualTo(Duration.ofNanos(40));
    nowNanos += 40;
    assertThat(takeovers.left(SERVER)).isZero();
  }

  @Test
  void a_restart_waits_anew_unless_it_was_over() throws IOException {
    takeovers.begin(SERVER);
    takeovers.left(SERVER);
    nowNanos += 99;
    start();
    assertThat(takeovers.left(SERVER)).isEqualTo(Duration.ofNanos(100));
    nowNanos += 100;
    assertThat(takeovers.left(SERVER)).isZero();
    takeovers.serve();
    start();
    assertThat(takeovers.left(SERVER)).isZero();
  }

  /** An own mark of a start that has not served says nothing about other servers. */
  @Test
  void a_claim_proves_nothing_before_the_shard_serves() throws IOException {
    takeovers.begin(SERVER);
    takeovers.beginUnowned(UNOWNED);
    assertThat(takeovers.left(UNOWNED)).as("nobody is waited for").isZero();
    takeovers.left(SERVER);
    nowNanos += 100;
    assertThat(takeovers.left(SERVER)).isZero();
    assertThat(takeovers.isUnproven(SERVER)).isTrue();

    start();
    assertThat(takeovers.isUnproven(SERVER)).as("after a restart").isTrue();
    assertThat(takeovers.isUnproven(UNOWNED)).as("after a restart").isTrue();
    takeovers.left(SERVER);
    takeovers.left(UNOWNED);
    nowNanos += 100;
    assertThat(takeovers.left(SERVER)).isZero();
    assertThat(takeovers.left(UNOWNED)).isZero();
    takeovers.serve();
    start();
    assertThat(takeovers.isUnproven(SERVER)).isFalse();
    assertThat(takeovers.isUnproven(UNOWNED)).isFalse();
  }

  @Test
  void a_claim_while_the_shard_serves_is_waited_for_alone() throws IOException {
    takeovers.serve();
    takeovers.begin(SERVER);
    takeovers.beginUnowned(UNOWNED);
    assertThat(takeovers.isUnproven(SERVER)).isFalse();
    takeovers.left(SERVER);
    nowNanos += 100;
    assertThat(takeovers.left(SERVER)).isZero();

    start();
    assertThat(takeovers.isUnproven(SERVER)).isFalse();
    assertThat(takeovers.isUnproven(UNOWNED)).isFalse();
  }
}
