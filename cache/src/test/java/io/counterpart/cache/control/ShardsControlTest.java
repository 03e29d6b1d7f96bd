package io.counterpart.cache.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several shards as one tier for operators, in front of the test's shards. */
@Timeout(120)
class ShardsControlTest {
  private static final IOException ELSEWHERE = new IOException("the owner is elsewhere");
  private static final ChangeReport CHANGE = new ChangeReport("adding", "x:1", 3, 9, 2);

  private final List<Shard> shards = new ArrayList<>();
  private final ShardsControl control = control("a:1 b:1 c:1", "d:1 e:1", "f:1 g:1");

  private static final class Shard implements Controlled {
    private final int number;
    private final List<ServerReport> servers;
    private final List<String> asked = new ArrayList<>();
    private CountDownLatch others = new CountDownLatch(0);
    private @Nullable ChangeReport change;
    private @Nullable Exception unknown;

    Shard(int number, String servers) {
      this.number = number;
      this.servers =
          Stream.of(servers.split(" "))
              .map(address -> new ServerReport(address, 0, "up", 0, number))
              .toList();
    }

    @Override
    public TierReport report() throws IOException {
      try {
        others.countDown();
        assertThat(others.await(20, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      if (unknown instanceof RuntimeException fault) {
        throw fault;
      }
      if (unknown != null) {
        throw (IOException) unknown;
      }
      return new TierReport("echash", servers, null, change);
    }

    @Override
    public CompletableFuture<Void> change(ServerChange wanted) {
      asked.add(wanted.toString());
      return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<Void> cancelChange() {
      asked.add("cancel");
      return new CompletableFuture<>();
    }
  }

  private ShardsControl control(String... servers) {
    for (String ofShard : servers) {
      shards.add(new Shard(shards.size(), ofShard));
    }
    return new ShardsControl(shards, number -> "role-" + number);
  }

  private List<String> asked() {
    return shards.stream()
        .flatMap(shard -> shard.asked.stream().map(request -> shard.number + " " + request))
        .toList();
  }

  private CompletableFuture<Void> change(String change) {
    return control.change(ServerChange.parse(change));
  }

  @Test
  void the_report_has_all_shards_that_can_be_asked_and_says_why_others_are_missing()
      throws Exception {
    shards.get(1).unknown = ELSEWHERE;

    TierReport report = control.report();

    assertThat(report.shards())
        .containsExactly(
            new ShardReport(0, "role-0", ""),
            new ShardReport(1, "role-1", "the owner is elsewhere"),
            new ShardReport(2, "role-2", ""));
    assertThat(report.servers())
        .extracting(ServerReport::address)
        .containsExactly("a:1", "b:1", "c:1", "f:1", "g:1");
    shards.get(0).unknown = new IllegalStateException("a fault");
    shards.get(2).unknown = ELSEWHERE;
    assertThatThrownBy(control::report).isInstanceOf(IOException.class).hasMessage("a fault");
  }

  @Test
  void all_shards_are_asked_at_once() throws Exception {
    CountDownLatch all = new CountDownLatch(shards.size());
    shards.forEach(shard -> shard.others = all);

    assertThat(control.report().servers()).hasSize(7);
  }

  @Test
  void a_change_concerns_one_shard() {
    assertThat(change("add x:1")).isNotDone();
    assertThat(change("remove g:1")).isNotDone();
    assertThat(change("remove b:1 a:1")).isNotDone();
    shards.get(1).unknown = ELSEWHERE;
    assertThat(change("add y:1 z:1")).isNotDone();

    assertThat(asked())
        .containsExactly("0 remove b:1 a:1", "1 add x:1", "2 remove g:1", "2 add y:1 z:1");
  }

  @Test
  void an_illegal_change_reaches_no_shard() {
    for (String illegal : List.of("add x:1 e:1", "remove x:1", "remove a:1 d:1")) {
      assertThatThrownBy(() -> change(illegal).getNow(null))
          .as(illegal)
          .hasCauseInstanceOf(IllegalArgumentException.class);
    }
    assertThat(asked()).isEmpty();
  }

  @Test
  void what_may_concern_a_shard_that_is_not_known_is_not_done_now() {
    shards.get(1).unknown = ELSEWHERE;
    String why = "the servers of a shard are not known here: shard 1: the owner is elsewhere";

    assertThatThrownBy(() -> change("remove d:1").getNow(null))
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining(why);
    assertThatThrownBy(() -> control.cancelChange().getNow(null))
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining(why);
    assertThatThrownBy(() -> change("remove a:1 d:1").getNow(null))
        .as("of no shard alone")
        .hasCauseInstanceOf(IllegalArgumentException.class);
    shards.forEach(shard -> shard.unknown = ELSEWHERE);
    assertThatThrownBy(() -> change("add x:1").getNow(null))
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("shard 0: the owner is elsewhere; shard 1: the owner");
    assertThat(asked()).isEmpty();
  }

  @Test
  void one_change_at_a_time_and_that_one_is_cancelled() {
    assertThatThrownBy(() -> control.cancelChange().getNow(null))
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no change of servers is under way");
    shards.get(2).change = CHANGE;

    assertThatThrownBy(() -> change("add y:1").getNow(null))
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("another change is under way: adding x:1: 3 of 9");
    assertThat(asked()).isEmpty();
    assertThat(control.cancelChange()).isNotDone();
    assertThat(asked()).containsExactly("2 cancel");
  }

  @Test
  void a_shard_has_a_number_from_0() {
    assertThat(control.shard(0)).isSameAs(shards.get(0));
    assertThat(control.shard(2)).isSameAs(shards.get(2));
    for (int illegal : new int[] {-1, 3}) {
      assertThatThrownBy(() -> control.shard(illegal))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("shard %d, legal: 0 to 2", illegal);
    }
  }
}
