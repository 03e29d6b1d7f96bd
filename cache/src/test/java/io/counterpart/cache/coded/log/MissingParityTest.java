package io.counterpart.cache.coded.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.server.UsableLink;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.netty.channel.nio.NioEventLoopGroup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which servers a restart has to restore, of a code that tolerates two losses. */
class MissingParityTest {
  private static final int COPIES = 3;
  private static final int STRIPE = 7;

  private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
  private final MissingParity missing = new MissingParity(COPIES);
  private final List<ServerLink> links = new ArrayList<>();
  private final Set<ServerLink> lacking = new HashSet<>();
  private final Set<ServerLink> emptied = new HashSet<>();

  @TempDir private Path directory;
  private MemcachedProcess memcached;

  @BeforeEach
  void connect() throws Exception {
    memcached = MemcachedProcess.start(MemcachedProcess.freePort());
    GuardedLoop loop =
        new GuardedLoop(
            loops.next(),
            why -> {
              throw new IllegalStateException(why);
            });
    for (int i = 0; i < COPIES; i++) {
      links.add(UsableLink.to(memcached, loop, directory));
    }
  }

  @AfterEach
  void close() {
    loops.shutdownGracefully();
    memcached.close();
  }

  private final class Recorded implements MissingParity.Marks {
    @Override
    public void lacking(ServerLink server) {
      lacking.add(server);
    }

    @Override
    public void whole(ServerLink server) {
      lacking.remove(server);
    }

    @Override
    public boolean isEmptied(ServerLink server) {
      return emptied.contains(server);
    }
  }

  @Test
  void a_server_is_marked_at_once_where_no_entry_tells_of_its_stripe() {
    missing.begin(new Recorded());
    missing.add(STRIPE, List.of(), List.of(links.get(0)));
    assertThat(lacking).containsExactly(links.get(0));

    missing.mark();
    assertThat(lacking).containsExactly(links.get(0));

    missing.remove(STRIPE);
    assertThat(missing.isMarked(links.get(0))).isTrue();
    missing.mark();
    assertThat(lacking).isEmpty();
    assertThat(missing.isMarked(links.get(0))).isFalse();
  }

  @Test
  void entries_protect_as_long_as_their_copies_outlive_the_losses() {
    missing.begin(new Recorded());
    missing.add(STRIPE, items(COPIES), List.of(links.get(0)));
    missing.mark();
    assertThat(lacking).isEmpty();

    emptied.add(links.get(2));
    missing.mark();
    assertThat(lacking).containsExactly(links.get(0));
  }

  @Test
  void entries_with_too_few_copies_do_not() {
    missing.begin(new Recorded());
    missing.add(STRIPE, items(1), List.of(links.get(0)));
    assertThat(lacking).containsExactly(links.get(0));
  }

  @Test
  void stripes_of_a_replay_have_its_journals_until_they_are_whole() {
    missing.add(STRIPE, List.of(), List.of());
    missing.begin(new Recorded());

    missing.add(STRIPE, List.of(), List.of(links.get(0)));
    missing.mark();
    assertThat(lacking).isEmpty();

    missing.remove(STRIPE);
    missing.add(STRIPE, List.of(), List.of(links.get(0)));
    assertThat(lacking).containsExactly(links.get(0));
  }

  @Test
  void journals_of_a_replay_go_although_a_later_stripe_lacks_parity() {
    List<Integer> told = new ArrayList<>();
    missing.onceReplayIsWhole(() -> told.add(STRIPE));
    missing.add(STRIPE, List.of(), List.of());
    missing.begin(new Recorded());
    missing.add(STRIPE + 1, items(COPIES), List.of(links.get(0)));
    missing.tellIfReplayIsWhole();
    assertThat(told).isEmpty();
    assertThat(missing.isReplayWhole()).isFalse();

    missing.remove(STRIPE);
    assertThat(missing.isReplayWhole()).isTrue();
    missing.tellIfReplayIsWhole();
    missing.tellIfReplayIsWhole();
    assertThat(told).containsExactly(STRIPE);
  }

  @Test
  void a_server_that_has_its_item_is_whole_though_another_lacks_one() {
    missing.begin(new Recorded());
    missing.add(STRIPE, List.of(), links.subList(0, 2));
    missing.lack(STRIPE, List.of(links.get(1)));
    missing.mark();
    assertThat(lacking).containsExactly(links.get(1));
  }

  private List<JournalItem> items(int copies) {
    return IntStream.range(0, copies)
        .mapToObj(copy -> new JournalItem(links.get(copy), 3))
        .toList();
  }
}
