package io.counterpart.cache.coded.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coded.settings.ServerMap;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ownership.CopySet;
import io.counterpart.cache.ownership.CopySettings;
import io.counterpart.cache.ownership.CopySurvey.Verdict;
import io.counterpart.cache.ownership.ServerMark;
import io.counterpart.cache.ownership.TierClaim;
import io.counterpart.cache.ring.ServerId;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A start asks servers of three rings whether its copy counts. Two of them must say so. */
class CountingCopiesTest {
  private static final CodeShape CODE = new CodeShape(3, 2);
  private static final UUID TIER = UUID.randomUUID();
  private static final TierClaim BEFORE = new TierClaim(TIER, 4, 8, false, "");
  private static final TierClaim CLAIM = new TierClaim(TIER, 5, 7, false, "");
  private static final CopySet SET = CopySet.NONE.next(4, Set.of(1L, 2L));

  private final List<ServerId> servers =
      IntStream.of(1, 2, 3).mapToObj(port -> new ServerId("127.0.0.1:" + port)).toList();
  private final CountingCopies copies = copies(false);

  private CountingCopies copies(boolean isOriginal) {
    ServerMap map = CodedSettings.of(CODE, servers, Path.of("unused")).newServers();
    CountingCopies made = new CountingCopies(CODE, CLAIM, new CopySettings(1, 2, isOriginal));
    made.with(() -> map, () -> {}, rings -> true);
    return made;
  }

  private Verdict judge(int server, ServerMark found) {
    return copies.judge(servers.get(server), found);
  }

  /** The mark of a server that this start has claimed. */
  private ServerMark claimed(int server) {
    return CLAIM.mark(true, copies.of(servers.get(server)));
  }

  @Test
  void begins_when_enough_servers_are_claimed_from_marks_with_a_set() {
    judge(0, BEFORE.mark(true, SET));
    assertThat(judge(1, BEFORE.mark(true, SET))).isEqualTo(Verdict.COUNTS);
    assertThat(copies.mayBegin()).isFalse();

    judge(0, claimed(0));
    assertThat(copies.mayBegin()).isFalse();
    judge(1, claimed(1));

    assertThat(copies.mayBegin()).isTrue();
  }

  /** The owner may have set a newer set on the server before it was emptied. */
  @Test
  void a_server_that_shows_no_mark_any_more_proves_nothing() {
    judge(0, BEFORE.mark(true, SET));
    judge(1, BEFORE.mark(true, SET));
    judge(1, claimed(1));

    assertThat(judge(0, null)).isEqualTo(Verdict.UNDECIDED);
    judge(2, BEFORE.mark(true, SET));
    assertThat(judge(0, null)).isEqualTo(Verdict.COUNTS);
    judge(0, claimed(0));
    assertThat(copies.mayBegin()).isFalse();

    judge(2, claimed(2));
    assertThat(copies.mayBegin()).isTrue();
  }

  @Test
  void a_server_whose_connection_is_lost_has_to_show_its_mark_again() {
    for (int server = 0; server < 2; server++) {
      judge(server, BEFORE.mark(true, SET));
      judge(server, claimed(server));
    }
    judge(0, claimed(0));
    assertThat(copies.mayBegin()).isTrue();

    copies.forget(servers.get(0));
    assertThat(copies.mayBegin()).isFalse();
    assertThat(judge(2, null)).isEqualTo(Verdict.UNDECIDED);

    judge(0, BEFORE.mark(true, SET));
    judge(0, claimed(0));
    assertThat(copies.mayBegin()).isTrue();
  }

  @Test
  void an_original_needs_no_set() {
    CountingCopies original = copies(true);
    assertThat(original.judge(servers.get(0), null)).isEqualTo(Verdict.UNDECIDED);
    assertThat(original.judge(servers.get(1), null)).isEqualTo(Verdict.COUNTS);
    assertThat(original.mayBegin()).isTrue();
  }
}
