package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coded.settings.EvictionRule;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.tier.Status;
import io.counterpart.core.eviction.simulator.EvictionSimulation;
import io.counterpart.core.eviction.simulator.StripeCache;
import io.counterpart.core.eviction.simulator.TracePreset;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Traces that are replayed on real servers, as in front of a database: an object that is missing is
 * written. Eviction by the stripe answers nearly as many reads as SIEVE on single objects does with
 * as many objects.
 */
@Timeout(240)
class EvictionReplayTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final long SEED = 11;
  private static final int VALUE_BYTES = 1_000;
  private static final int AT_ONCE = 64;
  private static final double TWO_POINTS = 0.02;

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({"ZIPF, 0.25", "ZIPF_SCANS, 0.1"})
  void hits_are_within_two_points_of_sieve(TracePreset trace, double memory) throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "8");
        CodedClient client =
            new CodedClient(
                CodedClient.patientSettings(CODE, servers, directory.resolve("tier"), 2 << 20)
                    .evicting(EvictionRule.ALL))) {
      int held = fill(client);
      int objects = (int) (held / memory);
      EvictionSimulation simulation =
          new EvictionSimulation(
              new StripeCache.Code(CODE.n(), CODE.k()), objects, 2 * objects, SEED);

      double hits = (double) replay(client, simulation, trace) / simulation.counted();

      long sieveBytes = (long) (memory * simulation.totalBytes(trace));
      assertThat(hits)
          .as("%s, %d objects in memory at once", trace, held)
          .isGreaterThan(simulation.sieveHitShare(trace, sieveBytes) - TWO_POINTS);
      assertThat(client.shard().statistics().lostObjects().sum()).isZero();
    }
  }

  /** The number of objects that a full tier has; it is empty afterwards. */
  private static int fill(CodedClient client) {
    int written = 0;
    ArrayDeque<CompletableFuture<Status>> underWay = new ArrayDeque<>();
    while (client.shard().statistics().evictedObjects().sum() < written / 2 + 1) {
      underWay.add(client.set("fill-" + written++, new byte[VALUE_BYTES]));
      if (underWay.size() == AT_ONCE) {
        assertThat(CodedClient.await(underWay.remove())).isEqualTo(Status.DONE);
      }
    }
    underWay.forEach(CodedClient::await);
    int held = (int) client.status().objects();
    client.flushAll();
    return held;
  }

  /** Returns the hits among the requests that count. */
  private static int replay(CodedClient client, EvictionSimulation simulation, TracePreset trace) {
    List<String> keys = new ArrayList<>();
    simulation.requests(trace).forEachRemaining((int object) -> keys.add("key-" + object));
    int counted = keys.size() - simulation.counted();
    request(client, keys.subList(0, counted));
    return request(client, keys.subList(counted, keys.size()));
  }

  /** Returns the hits. */
  private static int request(CodedClient client, List<String> keys) {
    int[] hits = new int[1];
    SeveralAtOnce.ask(
        keys, key -> readOrWrite(client, key), (key, isHit) -> hits[0] += isHit ? 1 : 0);
    return hits[0];
  }

  private static CompletableFuture<Boolean> readOrWrite(CodedClient client, String key) {
    return client
        .get(key)
        .thenCompose(
            got -> {
              if (got.status() == Status.DONE) {
                return CompletableFuture.completedFuture(true);
              }
              return client
                  .set(key, new byte[VALUE_BYTES])
                  .thenApply(
                      stored -> {
                        assertThat(stored).isEqualTo(Status.DONE);
                        return false;
                      });
            });
  }
}
