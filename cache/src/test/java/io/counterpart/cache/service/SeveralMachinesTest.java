package io.counterpart.cache.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.testkit.random.SeededRandom;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three proxies of one tier, each with metadata of its own as on three machines, on real memcached
 * servers. Machines are lost with their disks, and stand still.
 */
@Timeout(480)
@ExtendWith(SeededRandom.class)
class SeveralMachinesTest {
  private static final int KEYS = 12;
  private static final int MACHINES = 3;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Longer than a silent server is kept. */
  private static final Duration SILENCE = Duration.ofSeconds(3);

  private static final int SILENCES = 3;

  /** Written once. */
  private static final int OBJECTS = 100;

  @TempDir Path directory;

  private final List<MemcachedProcess> servers = new ArrayList<>();
  private final List<ProxyProcess> proxies = new ArrayList<>();
  private final List<ServerAddress> all = new ArrayList<>();
  private final KeyHistory history = new KeyHistory();

  @BeforeEach
  void start() throws IOException {
    servers.addAll(Services.coded(4));
    for (int i = 0; i < MACHINES; i++) {
      all.add(new ServerAddress("127.0.0.1", MemcachedProcess.freePort()));
    }
    for (int i = 0; i < MACHINES; i++) {
      ProxyProcess proxy =
          new ProxyProcess(
                  disk(i),
                  MemcachedProcess.freePort(),
                  servers,
                  directory.resolve("proxy-%d.log".formatted(i)).toFile())
              .among(all.get(i), all);
      proxies.add(proxy);
      proxy.start();
    }
    proxies.forEach(ProxyProcess::awaitServing);
  }

  @AfterEach
  void stop() throws Exception {
    for (int i = 0; i < proxies.size(); i++) {
      proxies.get(i).close();
      Path log = directory.resolve("proxy-%d.log".formatted(i));
      Path kept = Path.of("target/several-machines-%d.log".formatted(i));
      Files.copy(log, kept, StandardCopyOption.REPLACE_EXISTING);
    }
    servers.forEach(MemcachedProcess::close);
  }

  private Path disk(int machine) {
    return directory.resolve("machine-" + machine);
  }

  @Test
  void nothing_acknowledged_is_lost_with_the_owners_machine(Random random) throws Exception {
    List<Long> outages = new ArrayList<>();
    try (HistoryClients clients = clients(random)) {
      for (int life = 0; life < 3; life++) {
        awaitCopy();
        history.awaitWrites();
        int victim = owner();
        awaitCopy(); // a late one may have been dropped meanwhile
        proxies.get(victim).kill();
        Services.delete(disk(victim));
        long begin = System.nanoTime();
        int next = awaitOtherOwner(victim);
        history.awaitWrites();
        outages.add((System.nanoTime() - begin) / 1_000_000);
        assertThat(next).isNotEqualTo(victim);
        proxies.get(victim).start();
        proxies.get(victim).awaitServing();
      }
    }

    history.check(KEYS, proxies);
    // three to four seconds, and five more for each attempt that fails; a busy machine may delay
    // any of them, up to the limits above
    assertThat(outages).as("ms until it serves again").anyMatch(ms -> ms <= 25_000);
  }

  /** An owner's own copy is the only one that counts until others have followed. */
  @Test
  void who_cannot_listen_to_its_peers_leaves_the_tier_to_others(Random random) throws Exception {
    try (HistoryClients clients = clients(random)) {
      awaitCopy();
      history.awaitWrites();
      int owner = owner();
      int next = counting();
      try (ServerSocket taken =
          new ServerSocket(all.get(next).port(), 1, InetAddress.getLoopbackAddress())) {
        proxies.get(owner).kill();
        await("it has tried to take over")
            .atMost(LIMIT)
            .until(() -> log(next).contains("cannot listen"));

        proxies.get(owner).start();

        await("the owner of before owns it again")
            .atMost(LIMIT)
            .until(() -> proxies.get(owner).role().equals("owner"));
        history.awaitWrites();
        assertThat(taken.isBound()).isTrue();
      }
    }

    history.check(KEYS, proxies);
  }

  /** Whoever has taken over finishes the wave under way; operators ask there for the rest. */
  @Test
  void a_machine_that_follows_forgets_the_change_of_servers_that_it_had_begun() throws Exception {
    int follower = (owner() + 1) % MACHINES;
    proxies.get(follower).kill();
    Path change = disk(follower).resolve("change");
    Files.writeString(change, "remove 127.0.0.1:%d%n".formatted(servers.get(0).port()));

    proxies.get(follower).start();

    proxies.get(follower).awaitServing();
    await().atMost(LIMIT).until(() -> !Files.exists(change));
    // it may tell its role late
    await().atMost(LIMIT).until(() -> proxies.get(follower).role().endsWith("follower"));
  }

  private int counting() {
    return await()
        .pollDelay(Duration.ZERO)
        .atMost(LIMIT)
        .until(
            () ->
                IntStream.range(0, MACHINES)
                    .filter(machine -> proxies.get(machine).role().equals("counting follower"))
                    .findFirst(),
            OptionalInt::isPresent)
        .getAsInt();
  }

  private String log(int machine) throws IOException {
    return Files.readString(directory.resolve("proxy-%d.log".formatted(machine)));
  }

  @Test
  void an_owner_that_stands_still_is_overtaken_and_follows(Random random) throws Exception {
    try (HistoryClients clients = clients(random)) {
      for (int life = 0; life < 2; life++) {
        awaitCopy();
        history.awaitWrites();
        int victim = owner();
        awaitCopy(); // as above
        proxies.get(victim).pause();
        awaitOtherOwner(victim);
        history.awaitWrites();
        proxies.get(victim).resume();
        await().atMost(LIMIT).until(() -> proxies.get(victim).role().endsWith("follower"));
      }
    }

    history.check(KEYS, proxies);
  }

  /** As when a switch is restarted: all of them are out of reach for every machine. */
  @Test
  void servers_that_fall_silent_together_lose_nothing(Random random) throws Exception {
    HistoryClients quiet = new HistoryClients(history, OBJECTS);
    quiet.each(proxies.get(owner()).address(), "quiet-", "before");
    try (HistoryClients clients = clients(random)) {
      for (int silence = 0; silence < SILENCES; silence++) {
        awaitCopy();
        history.awaitWrites();
        servers.forEach(MemcachedProcess::pause);
        Thread.sleep(SILENCE.toMillis());
        servers.forEach(MemcachedProcess::resume);
        // the next one may come at any moment of the restart, or after it
        Thread.sleep(random.nextInt((int) SILENCE.toMillis()));
      }
      history.awaitWrites();
    }

    history.check(KEYS, proxies);
    quiet.each(proxies.get(owner()).address(), "quiet-", null);
    assertThat(history.problems()).isEmpty();
  }

  private HistoryClients clients(Random random) {
    HistoryClients clients = new HistoryClients(history, KEYS);
    for (int i = 0; i < 2 * MACHINES; i++) {
      clients.begin(
          proxies.get(i % MACHINES).address(),
          "client-%d-%d".formatted(i, random.nextInt(1000)),
          new Random(random.nextLong()));
    }
    return clients;
  }

  private int owner() {
    return await().atMost(LIMIT).until(this::owners, owners -> owners.size() == 1).get(0);
  }

  private List<Integer> owners() {
    List<Integer> owners = new ArrayList<>();
    for (int i = 0; i < MACHINES; i++) {
      if (proxies.get(i).role().equals("owner")) {
        owners.add(i);
      }
    }
    return owners;
  }

  private int awaitOtherOwner(int victim) {
    AtomicInteger found = new AtomicInteger(victim);
    await()
        .pollInterval(Duration.ofMillis(50))
        .atMost(LIMIT)
        .until(
            () -> {
              for (int i = 0; i < MACHINES; i++) {
                if (i != victim && proxies.get(i).role().equals("owner")) {
                  found.set(i);
                }
              }
              return found.get() != victim;
            });
    return found.get();
  }

  /** Waits until a second copy counts. */
  private void awaitCopy() {
    await()
        .pollDelay(Duration.ZERO)
        .atMost(LIMIT)
        .until(() -> proxies.stream().anyMatch(proxy -> proxy.role().equals("counting follower")));
  }
}
