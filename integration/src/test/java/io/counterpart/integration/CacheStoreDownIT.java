package io.counterpart.integration;

import static io.counterpart.integration.TierBeforeStore.end;
import static io.counterpart.integration.TierBeforeStore.failure;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cache.store.StoreLimits;
import io.counterpart.cache.store.behind.WriteBehindSettings;
import io.counterpart.cache.store.behind.WriteBehindStore;
import io.counterpart.cache.store.cassandra.CassandraOptions;
import io.counterpart.cache.store.cassandra.CassandraStore;
import io.counterpart.cache.tier.Status;
import io.counterpart.cluster.Node;
import io.counterpart.memcached.MemcachedProgram;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The memory tier while Cassandra is away for as long as 30 of its timeouts: with the usual ones of
 * two seconds that is a minute.
 */
@Timeout(400)
@OnCluster(Shape.TRANSIENT_REPLICATION)
class CacheStoreDownIT {
  private static final Path HOME = Path.of("target/cache-store-down-it").toAbsolutePath();
  private static final Duration TIMEOUT = Duration.ofMillis(100);
  private static final Duration AWAY = TIMEOUT.multipliedBy(30);

  /** The usual ones, their waits as much shorter as the timeout. */
  private static final StoreLimits LIMITS =
      new StoreLimits(32, 1024, 256, 4096, TIMEOUT, 1 << 16, TIMEOUT.dividedBy(2));

  private static final int FIRST_PORT = 24_351;
  private static final int KEYS = 200;

  /** Keys that write-behind may have waiting. */
  private static final int BOUND = 500;

  @BeforeEach
  void needs_memcached() {
    assumeThat(MemcachedProgram.find("memcached")).as(MemcachedProgram.ADVICE).isPresent();
  }

  @Test
  void write_through_refuses_writes_and_reads_memory(TestCluster cluster) throws Exception {
    Node node = cluster.node(1);
    try (CassandraStore store = CassandraStore.open(options(node), 0, TierBeforeStore.SECONDS);
        TierBeforeStore tier = TierBeforeStore.open(HOME, FIRST_PORT, LIMITS, loop -> store)) {
      TierClient client = tier.client();
      for (int i = 0; i < KEYS; i++) {
        write(client, "k" + i, value(i));
      }
      long ends = System.nanoTime() + AWAY.toNanos();
      int refused = 0;
      node.pause();
      try {
        while (System.nanoTime() < ends || refused < 20) {
          List<CompletableFuture<Status>> writes = new ArrayList<>();
          for (int i = 0; i < 10; i++) {
            writes.add(client.set("k" + i, value(-refused)));
          }
          assertHas(client, 10, KEYS);
          for (CompletableFuture<Status> write : writes) {
            assertThat(failure(write)).isEqualTo(Status.STORE_UNAVAILABLE);
            refused++;
          }
          assertThat(failure(client.get("in neither"))).isEqualTo(Status.STORE_UNAVAILABLE);
          // a refused write leaves what was there
          assertHas(client, 0, KEYS);
        }
      } finally {
        node.resumeUnseen();
      }

      await()
          .atMost(Duration.ofSeconds(120))
          .ignoreExceptions()
          .until(() -> end(client.set("k0", value(0))) == Status.DONE);
      for (int i = 0; i < 10; i++) {
        // a refused one may have arrived all the same
        write(client, "k" + i, value(i));
      }
      tier.emptyMemory();
      for (int i = 0; i < KEYS; i++) {
        assertFinds(client, i);
      }
    } finally {
      cluster.execute("DROP KEYSPACE " + CassandraOptions.DEFAULT_KEYSPACE);
    }
  }

  @Test
  void write_behind_queues_up_to_its_bound_and_reads_memory(TestCluster cluster) throws Exception {
    Node node = cluster.node(1);
    List<WriteBehindStore> behind = new ArrayList<>();
    CassandraStore store = CassandraStore.open(options(node), 0, TierBeforeStore.SECONDS);
    try (TierBeforeStore tier =
        TierBeforeStore.open(
            HOME,
            FIRST_PORT,
            LIMITS,
            loop -> {
              behind.add(WriteBehindStore.open(store, settings(), loop));
              return behind.get(0);
            })) {
      WriteBehindStore queue = behind.get(0);
      TierClient client = tier.client();
      for (int i = 0; i < KEYS; i++) {
        write(client, "k" + i, value(i));
      }
      await().atMost(Duration.ofSeconds(60)).until(() -> queue.entries() == 0);
      Set<Integer> acknowledged = new TreeSet<>();
      long ends = System.nanoTime() + AWAY.toNanos();
      node.pause();
      try {
        for (int next = KEYS; acknowledged.size() < BOUND || System.nanoTime() < ends; next++) {
          if (isTaken(client.set("k" + next, value(next)))) {
            acknowledged.add(next);
          }
          assertThat(queue.entries()).isLessThanOrEqualTo(BOUND);
          assertHas(client, next % KEYS, next % KEYS + 1);
        }
        assertThat(isTaken(client.set("one more", value(1)))).isFalse();
        // what waits already may change, and is read as it was changed last
        int changed = acknowledged.iterator().next();
        write(client, "k" + changed, value(changed + 1));
        assertThat(end(client.get("k" + changed)).orElseThrow().bytes())
            .isEqualTo(value(changed + 1));
        write(client, "k" + changed, value(changed));
      } finally {
        node.resumeUnseen();
      }
      assertThat(acknowledged).hasSize(BOUND);

      await().atMost(Duration.ofSeconds(120)).until(() -> queue.entries() == 0);
      tier.emptyMemory();
      for (int i = 0; i < KEYS; i++) {
        assertFinds(client, i);
      }
      for (int i : acknowledged) {
        assertFinds(client, i);
      }
      queue.close();
    } finally {
      store.close();
      cluster.execute("DROP KEYSPACE " + CassandraOptions.DEFAULT_KEYSPACE);
    }
  }

  private static boolean isTaken(CompletableFuture<Status> write) throws Exception {
    try {
      return end(write) == Status.DONE;
    } catch (ExecutionException refused) {
      assertThat(failure(write)).isEqualTo(Status.STORE_UNAVAILABLE);
      return false;
    }
  }

  /** Writes until the store takes it: a busy machine may miss the short timeout. */
  private static void write(TierClient client, String key, byte[] value) {
    await()
        .atMost(Duration.ofSeconds(30))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .pollInSameThread()
        .ignoreExceptions()
        .until(() -> end(client.set(key, value)) == Status.DONE);
  }

  /** The keys of a range have their own values. */
  private static void assertHas(TierClient client, int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      TierClient.Value read = end(client.get("k" + i)).orElseThrow();
      assertThat(read.bytes()).as("k%d", i).isEqualTo(value(i));
    }
  }

  /** The same of a key that has to be read from the store, which a busy machine may hold up. */
  private static void assertFinds(TierClient client, int i) {
    Optional<TierClient.Value> read =
        await()
            .atMost(Duration.ofSeconds(30))
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(20))
            .pollInSameThread()
            .ignoreException(ExecutionException.class)
            .until(() -> end(client.get("k" + i)), found -> true);
    assertThat(read.orElseThrow().bytes()).as("k%d", i).isEqualTo(value(i));
  }

  private static WriteBehindSettings settings() {
    return new WriteBehindSettings(
        HOME.resolve("behind-" + System.nanoTime()),
        BOUND,
        4 << 20,
        TIMEOUT.dividedBy(2),
        TIMEOUT,
        64,
        TIMEOUT.dividedBy(2));
  }

  private static CassandraOptions options(Node node) {
    return new CassandraOptions(
        List.of(new InetSocketAddress(node.address(), node.cqlPort())),
        "dc1",
        CassandraOptions.DEFAULT_KEYSPACE,
        null,
        CassandraOptions.DEFAULT_TABLE,
        DefaultConsistencyLevel.LOCAL_QUORUM,
        DefaultConsistencyLevel.LOCAL_QUORUM,
        TIMEOUT,
        null);
  }

  private static byte[] value(int i) {
    return ("value " + i).repeat(1 + Math.abs(i) % 50).getBytes(UTF_8);
  }
}
