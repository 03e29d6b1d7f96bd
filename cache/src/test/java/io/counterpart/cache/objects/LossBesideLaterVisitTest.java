package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.CodedScheme;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.repair.BatchedRepair;
import io.counterpart.cache.coded.repair.ObjectRepair;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.Status;
import io.counterpart.testkit.random.SeededRandom;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** As {@link LossBesideRestorationTest}, while a restoration visits stripes again. */
@ExtendWith(SeededRandom.class)
@Timeout(120)
class LossBesideLaterVisitTest {
  private static final CodeShape CODE = new CodeShape(5, 3);

  /** Of fewer stripes than are visited again at once. */
  private static final int OBJECTS = 60;

  private static final int BYTES = 500;

  /** Of another slot class: in stripes that nobody visits. */
  private static final int OTHER_BYTES = 200;

  private static final Duration UNTIL_MISSED = Duration.ofSeconds(2);

  @TempDir private Path directory;
  private final HeldRepairs repairs = new HeldRepairs();
  private final Map<String, byte[]> values = new TreeMap<>();

  /** A server still lacks what it is to get in the visit that is under way. */
  @Test
  void what_a_server_lacks_until_a_later_visit_ends_is_not_given_up(Random random)
      throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        HoldingRelay first = new HoldingRelay(new RawServer(servers, 1).port());
        HoldingRelay second = new HoldingRelay(new RawServer(servers, 2).port());
        CodedClient client = client(servers, first, second)) {
      write(client, random);
      goOut(client, first, second);
      servers.kill(0);
      awaitUsed(client, 2);
      servers.start(0);
      awaitUsed(client, 3);
      Thread.sleep(UNTIL_MISSED.toMillis()); // each stripe is visited once, and mostly in vain
      repairs.hold();
      first.comeBack();
      second.comeBack();
      repairs.holds.get(40, TimeUnit.SECONDS);
      awaitUsed(client, 5); // a visit may begin when the first of them is back

      goOut(client, first, second);
      for (int i = 0; i < OBJECTS; i++) {
        client.set("other-" + i, new byte[OTHER_BYTES]); // nobody waits: they may not end
      }
      Thread.sleep(UNTIL_MISSED.toMillis());
      client.loop().submit(repairs::release).get(40, TimeUnit.SECONDS);
      first.comeBack();
      second.comeBack();

      client.awaitRestored(5);
      checkValues(client);
      assertThat(client.scrub()).isEmpty();
    }
  }

  private static void goOut(CodedClient client, HoldingRelay first, HoldingRelay second)
      throws Exception {
    int used = client.usable().size();
    first.goOut();
    second.goOut();
    awaitUsed(client, used - 2);
  }

  private static void awaitUsed(CodedClient client, int servers) {
    await("servers are used")
        .atMost(Duration.ofSeconds(40))
        .untilAsserted(() -> assertThat(client.usable()).hasSize(servers));
  }

  private void write(CodedClient client, Random random) {
    client.awaitRestored(CODE.n()); // one may be late for the start
    for (int i = 0; i < OBJECTS; i++) {
      byte[] value = new byte[BYTES];
      random.nextBytes(value);
      values.put("key-" + i, value);
      assertThat(CodedClient.await(client.set("key-" + i, value))).isEqualTo(Status.DONE);
    }
    client.foldAll(); // a deletion under way would be missed
    checkValues(client);
  }

  private void checkValues(CodedClient client) {
    assertThat(SeveralAtOnce.wrong(client, values)).isEmpty();
  }

  private CodedClient client(CodedServers servers, HoldingRelay first, HoldingRelay second)
      throws Exception {
    List<ServerId> ids = new ArrayList<>(servers.ids());
    ids.set(1, first.id());
    ids.set(2, second.id());
    CodedScheme scheme =
        new CodedScheme(
            CodedScheme.ECHASH.maps(),
            CodedScheme.ECHASH.migrations(),
            CodedScheme.ECHASH.reads(),
            repairs::make);
    return new CodedClient(
        scheme,
        new CodedSettings(
            CODE,
            ids,
            directory.resolve("metadata"),
            1 << 20,
            Duration.ofSeconds(2),
            CodedClient.answeringWithin(Duration.ofSeconds(20))));
  }

  /** Repairs that stay in their stripes until the test releases them. */
  private static final class HeldRepairs {
    private final CompletableFuture<Void> holds = new CompletableFuture<>();
    private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();
    private volatile boolean isHolding;

    ObjectRepair make(ShardServices services, ObjectRepair.Unrestored unrestored) {
      ObjectRepair repair = new BatchedRepair(services, unrestored);
      return (stripe, lost, parity, done) -> {
        Runnable body =
            () -> {
              if (!services.shard().loop().isEnded()) {
                repair.restore(stripe, lost, parity, done);
              }
            };
        if (isHolding) {
          held.add(body);
          holds.complete(null);
        } else {
          body.run();
        }
      };
    }

    void hold() {
      isHolding = true;
    }

    /** On the event loop. */
    void release() {
      isHolding = false;
      for (Runnable body = held.poll(); body != null; body = held.poll()) {
        body.run();
      }
    }
  }
}
