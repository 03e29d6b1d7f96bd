package io.counterpart.cache.service;

import static org.awaitility.Awaitility.await;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.testkit.random.SeededRandom;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three proxies of a tier of three shards, each with metadata of its own as on three machines, on
 * real memcached servers. Machines are lost with their disks.
 */
@ExtendWith(SeededRandom.class)
@Timeout(480)
class ShardedMachinesTest {
  private static final int KEYS = 24;
  private static final int MACHINES = 3;
  private static final int SHARDS = 3;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Pattern OWNED = Pattern.compile("owner of (\\d+) of \\d+ shards");
  private static final Pattern COUNTED = Pattern.compile("counting follower of (\\d+)");

  @TempDir Path directory;

  private final List<MemcachedProcess> servers = new ArrayList<>();
  private final List<ProxyProcess> proxies = new ArrayList<>();
  private final KeyHistory history = new KeyHistory();

  @BeforeEach
  void start() throws IOException {
    servers.addAll(Services.coded(SHARDS * ProxyProcess.CODE.n()));
    List<ServerAddress> all = new ArrayList<>();
    for (int machine = 0; machine < MACHINES; machine++) {
      int port = MemcachedProcess.freePort();
      while (MemcachedProcess.freePort() < port + SHARDS - 1) {
        // each shard has a port
      }
      all.add(new ServerAddress("127.0.0.1", port));
    }
    for (int machine = 0; machine < MACHINES; machine++) {
      ProxyProcess proxy =
          new ProxyProcess(
                  disk(machine),
                  MemcachedProcess.freePort(),
                  servers,
                  directory.resolve("proxy-%d.log".formatted(machine)).toFile())
              .with("-Xmx512m", "-D%s=%d".formatted(ProxyProcess.SHARDS, SHARDS))
              .among(all.get(machine), all);
      proxies.add(proxy);
      proxy.start();
    }
    proxies.forEach(ProxyProcess::awaitServing);
  }

  @AfterEach
  void stop() throws InterruptedException {
    for (ProxyProcess proxy : proxies) {
      proxy.close();
    }
    servers.forEach(MemcachedProcess::close);
  }

  @Test
  void each_machine_has_a_shard_and_those_of_a_lost_one_go_on_elsewhere(Random random)
      throws Exception {
    await("each owns a shard")
        .atMost(LIMIT)
        .until(() -> proxies.stream().allMatch(proxy -> number(OWNED, proxy) == 1));
    try (HistoryClients clients = new HistoryClients(history, KEYS)) {
      for (int i = 0; i < 2 * MACHINES; i++) {
        clients.begin(
            proxies.get(i % MACHINES).address(), "client-" + i, new Random(random.nextLong()));
      }
      for (int life = 0; life < 2; life++) {
        awaitCopies();
        history.awaitWrites();
        awaitCopies(); // late ones may have been dropped meanwhile
        int victim = random.nextInt(MACHINES);
        proxies.get(victim).kill();
        Services.delete(disk(victim));
        await("the others own all").atMost(LIMIT).until(() -> sum(OWNED) == SHARDS);
        history.awaitWrites();
        proxies.get(victim).start();
        proxies.get(victim).awaitServing();
      }
    }

    history.check(KEYS, proxies);
  }

  /** Waits until a second copy of each shard's metadata counts. */
  private void awaitCopies() {
    await("copies count")
        .pollDelay(Duration.ZERO)
        .atMost(LIMIT)
        .until(() -> sum(COUNTED) == SHARDS);
  }

  private int sum(Pattern what) {
    return proxies.stream().mapToInt(proxy -> number(what, proxy)).sum();
  }

  private static int number(Pattern what, ProxyProcess proxy) {
    Matcher found = what.matcher(proxy.role());
    return found.find() ? Integer.parseInt(found.group(1)) : 0;
  }

  private Path disk(int machine) {
    return directory.resolve("machine-" + machine);
  }
}
