package io.counterpart.cache.service;

import static org.awaitility.Awaitility.await;

import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.testkit.random.SeededRandom;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two proxies of a tier with several shards, each in a process of its own. Both read every write
 * that either acknowledged, whichever is killed or stands still.
 */
@ExtendWith(SeededRandom.class)
@Timeout(480)
class ShardedProxiesTest {
  private static final int KEYS = 24;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir Path directory;

  private final List<MemcachedProcess> servers = new ArrayList<>();
  private final List<ProxyProcess> proxies = new ArrayList<>();
  private final KeyHistory history = new KeyHistory();

  @AfterEach
  void stop() throws InterruptedException {
    for (ProxyProcess proxy : proxies) {
      proxy.close();
    }
    servers.forEach(MemcachedProcess::close);
  }

  @ParameterizedTest
  @ValueSource(ints = {4})
  void nothing_acknowledged_is_lost_when_proxies_are_killed_or_stand_still(
      int shards, Random random) throws Exception {
    startBoth(shards);
    try (HistoryClients clients = new HistoryClients(history, KEYS)) {
      for (int i = 0; i < 6; i++) {
        clients.begin(proxies.get(i % 2).address(), "client-" + i, new Random(random.nextLong()));
      }
      for (int life = 0; life < 2; life++) {
        history.awaitWrites();
        ProxyProcess victim = proxies.get(life % 2);
        ProxyProcess other = proxies.get(1 - life % 2);
        victim.kill();
        await()
            .atMost(LIMIT)
            .until(() -> other.role().equals("owner of %d of %d shards".formatted(shards, shards)));
        history.awaitWrites();
        victim.start();
        victim.awaitServing();
      }
      history.awaitWrites();
      ProxyProcess still = proxies.get(random.nextInt(2));
      still.pause();
      Thread.sleep(500 + random.nextInt(3000));
      still.resume();
      history.awaitWrites();
    }

    history.check(KEYS, proxies);
  }

  private void startBoth(int shards) throws IOException {
    servers.addAll(Services.coded(shards * ProxyProcess.CODE.n()));
    for (int i = 0; i < 2; i++) {
      ProxyProcess proxy =
          new ProxyProcess(
                  directory.resolve("metadata"),
                  MemcachedProcess.freePort(),
                  servers,
                  directory.resolve("proxy-%d.log".formatted(i)).toFile())
              .with("-Xmx640m", "-D%s=%d".formatted(ProxyProcess.SHARDS, shards));
      proxies.add(proxy);
      proxy.start();
    }
    proxies.forEach(ProxyProcess::awaitServing);
  }
}
