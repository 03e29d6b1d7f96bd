package io.counterpart.cache.service.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.backend.ConnectionSecurity;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.metadata.MetadataLog;
import io.counterpart.cache.metadata.MetadataOptions;
import io.counterpart.cache.metadata.copy.CopyIdentity;
import io.counterpart.cache.metadata.copy.OldCopy;
import io.counterpart.cache.ownership.OvertakenException;
import io.counterpart.cache.ownership.Refusal;
import io.counterpart.cache.proxy.Access;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TakeoverTurnTest {
  private static final List<ServerAddress> ALL =
      List.of(new ServerAddress("127.0.0.1", 1), new ServerAddress("127.0.0.1", 2));
  private static final OvertakenException BY_ANOTHER_TIER =
      new OvertakenException(new Refusal("another tier's", false, 0));

  @TempDir private Path temporary;

  private long nowMillis;

  private Path directory() {
    return temporary.resolve("shard");
  }

  private TakeoverTurn turn(int self) {
    return new TakeoverTurn(
        new PeerOptions(ALL.get(self), ALL, 2, Access.OPEN, ConnectionSecurity.NONE),
        directory(),
        () -> TimeUnit.MILLISECONDS.toNanos(nowMillis));
  }

  private void makeLog() throws IOException {
    MetadataLog.open(directory(), MetadataOptions.of(2)).close();
  }

  @Test
  void without_metadata_only_the_first_one_begins() throws Exception {
    TakeoverTurn first = turn(0);
    TakeoverTurn second = turn(1);
    assertThat(first.begins(false)).isFalse();

    nowMillis = 10_000;
    assertThat(second.begins(false)).isFalse();
    assertThat(first.begins(false)).isTrue();
  }

  /** It was killed in the middle of its first attempt, so there is a log. */
  @Test
  void a_new_tier_that_never_served_gives_way() throws Exception {
    TakeoverTurn killed = turn(0);
    nowMillis = 20_000;
    assertThat(killed.begins(false)).isTrue();
    makeLog();
    TakeoverTurn turn = turn(0);
    nowMillis = 30_000;
    assertThat(turn.begins(false)).isTrue();

    turn.refused(BY_ANOTHER_TIER);

    nowMillis = 60_000;
    assertThat(turn.begins(false)).as("it can only follow").isFalse();
    assertThat(OldCopy.isNoted(directory())).isTrue();
  }

  @Test
  void a_tier_that_has_served_does_not_give_way_to_another_one() throws Exception {
    TakeoverTurn turn = turn(0);
    nowMillis = 10_000;
    assertThat(turn.begins(false)).isTrue();
    makeLog();
    CopyIdentity.noteServed(directory());

    assertThatThrownBy(() -> turn.refused(BY_ANOTHER_TIER)).isSameAs(BY_ANOTHER_TIER);
    assertThat(OldCopy.isNoted(directory())).isFalse();
  }

  @Test
  void waits_once_for_an_owner_that_refuses_to_talk() throws Exception {
    makeLog();
    TakeoverTurn turn = turn(0);
    nowMillis = 10_000;
    assertThat(turn.begins(true)).isFalse();
    nowMillis += 3900;
    assertThat(turn.begins(true)).isFalse();
    nowMillis += 1200;
    assertThat(turn.begins(true)).isTrue();

    turn.lost(ALL.get(1));
    assertThat(turn.begins(true)).isFalse();
    turn.lost(ALL.get(1));
    assertThat(turn.begins(false)).isTrue();
  }

  @Test
  void lets_all_others_go_first_when_its_own_tier_has_ended() throws Exception {
    makeLog();
    TakeoverTurn turn = turn(0);
    nowMillis = 10_000;
    turn.ended();
    nowMillis += 799;
    assertThat(turn.begins(false)).isFalse();
    nowMillis++;
    assertThat(turn.begins(false)).isTrue();
  }
}
