package io.counterpart.cache.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.testkit.random.SeededRandom;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * All servers fall silent while they are written to, as when a switch is restarted, and come back
 * with their items.
 */
@Timeout(240)
@ExtendWith(SeededRandom.class)
class ServersLostTogetherTest extends CodedServiceFixture {
  private static final int CLIENTS = 8;
  private static final int KEYS = 100;
  private static final Duration SOON = Duration.ofSeconds(60);

  /** Longer than a silent server is kept. */
  private static final Duration SILENCE = Duration.ofSeconds(3);

  private static final int SILENCES = 3;
  private static final String NOTHING_TAKEN =
      "counterpart_cache_request_memory_bytes{what=\"taken\"} 0.0";

  @Test
  void nothing_is_lost(Random random) throws Exception {
    KeyHistory history = new KeyHistory();
    try (CacheService service = CacheService.start(options());
        HistoryClients clients = new HistoryClients(history, KEYS)) {
      store(service);
      ServerAddress proxy = new ServerAddress("127.0.0.1", service.address().getPort());
      for (int i = 0; i < CLIENTS; i++) {
        clients.begin(proxy, "client-" + i, new Random(random.nextLong()));
      }
      awaitWrites(history, System.nanoTime());

      for (int silence = 0; silence < SILENCES; silence++) {
        servers.forEach(MemcachedProcess::pause);
        Thread.sleep(SILENCE.toMillis());
        servers.forEach(MemcachedProcess::resume);
        // the next one may come at any moment of the restart, or after it
        Thread.sleep(random.nextInt((int) SILENCE.toMillis()));
      }

      awaitWrites(history, System.nanoTime());
      await("it is restored; it may be too busy to tell so")
          .atMost(SOON)
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(() -> restored(report()));
      clients.close();
      readAll(service);
      await("memory of requests that were cut off")
          .atMost(SOON)
          .until(() -> metrics(service).contains(NOTHING_TAKEN));
      assertThat(report().coded().lostObjects()).isZero();
      assertThat(service.ended()).isNotDone();
      assertThat(history.problems()).isEmpty();
    }
  }

  private static void awaitWrites(KeyHistory history, long fromNanos) {
    await().atMost(SOON).until(() -> history.acknowledgements(fromNanos).size() > KEYS);
  }
}
