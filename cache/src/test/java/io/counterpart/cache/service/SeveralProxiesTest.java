package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.testkit.random.SeededRandom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two proxies of one tier, each in a separate process, on real memcached servers. Both read every
 * write that either acknowledged, whichever of them is killed or stands still.
 */
@Timeout(480)
@ExtendWith(SeededRandom.class)
class SeveralProxiesTest {
  private static final int KEYS = 12;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir Path directory;

  private final List<MemcachedProcess> servers = new ArrayList<>();
  private final List<ProxyProcess> proxies = new ArrayList<>();
  private final KeyHistory history = new KeyHistory();

  @BeforeEach
  void startServers() throws IOException {
    servers.addAll(Services.coded(4));
  }

  @AfterEach
  void stop() throws InterruptedException {
    for (ProxyProcess proxy : proxies) {
      proxy.close();
    }
    servers.forEach(MemcachedProcess::close);
  }

  @Test
  void nothing_acknowledged_is_lost_when_owners_and_followers_are_killed(Random random)
      throws Exception {
    startBothAtOnce();
    try (HistoryClients clients = clients(random, KEYS)) {
      for (int life = 0; life < 3; life++) {
        history.awaitWrites();
        boolean takesOver = life == 0 || random.nextInt(3) > 0;
        ProxyProcess victim = only(takesOver ? "owner" : "follower");
        ProxyProcess other = other(victim);
        String others = takesOver ? "follower" : "owner";
        await().atMost(LIMIT).until(() -> other.role().equals(others));
        victim.kill();
        await().atMost(LIMIT).until(() -> other.role().equals("owner"));
        victim.start();
        victim.awaitServing();
      }
    }

    history.check(KEYS, proxies);
  }

  @Test
  void nothing_acknowledged_is_lost_when_a_proxy_stands_still(Random random) throws Exception {
    startBothAtOnce();
    // the first is longer than a follower waits for an answer, 6250 ms if its checks are in time
    int[] stopMillis = {8000, 400, 1500 + random.nextInt(3000)};
    try (HistoryClients clients = clients(random, KEYS)) {
      for (int millis : stopMillis) {
        history.awaitWrites();
        ProxyProcess victim =
            millis < 6000 && random.nextInt(4) == 0 ? only("follower") : only("owner");
        victim.pause();
        Thread.sleep(millis);
        victim.resume();
      }
      await()
          .atMost(LIMIT)
          .until(() -> owners() == 1 && Stream.of("owner", "follower").allMatch(this::hasOne));
      assertThat(clients.uncertain()).isPositive();
    }

    history.check(KEYS, proxies);
  }

  @Test
  void a_copy_of_the_metadata_ends_the_first_owner(@TempDir Path copy, Random random)
      throws Exception {
    int keys = 100;
    start(directory.resolve("metadata"));
    proxies.get(0).awaitServing();
    try (HistoryClients first = new HistoryClients(history, keys)) {
      first.begin(proxies.get(0).address(), "first", new Random(random.nextLong()));
      await().until(() -> history.acknowledged() > 100);
    }
    copy(directory.resolve("metadata"), copy);
    start(copy);
    proxies.get(1).awaitServing();
    await().until(() -> proxies.get(1).role().equals("owner"));
    await().until(() -> !proxies.get(0).role().equals("owner"));

    long before = history.acknowledged();
    try (HistoryClients second = new HistoryClients(history, keys)) {
      second.begin(proxies.get(1).address(), "second", new Random(random.nextLong()));
      await().until(() -> history.acknowledged() > before + 100);
    }
    servers.get(random.nextInt(servers.size())).close();
    try (HistoryClients last = new HistoryClients(history, keys)) {
      last.readAll(proxies.get(1).address());
    }

    assertThat(history.problems()).isEmpty();
  }

  @Test
  void a_follower_answers_like_the_owner() throws Exception {
    startBothAtOnce();
    ProxyProcess owner = only("owner");
    ProxyProcess follower = only("follower");

    assertThat(ask(follower, "ms k 3 F77 T0 c\r\nabc\r\n")).startsWith("HD c");
    String read = ask(owner, "mg k f c t v\r\n");
    assertThat(read).startsWith("VA 3 f77 c").endsWith(" t-1\r\nabc\r\n");
    assertThat(ask(follower, "mg k f c t v\r\n")).isEqualTo(read);
    assertThat(ask(owner, "set n 1 0 1\r\n9\r\n")).isEqualTo("STORED\r\n");
    assertThat(ask(follower, "incr n 3\r\nincr k 1\r\nget n absent k\r\ndelete n\r\n"))
        .isEqualTo(
            "12\r\nCLIENT_ERROR cannot increment or decrement non-numeric value\r\n"
                + "VALUE n 1 2\r\n12\r\nVALUE k 77 3\r\nabc\r\nEND\r\nDELETED\r\n");
    assertThat(ask(owner, "get n\r\nflush_all\r\n")).isEqualTo("END\r\nOK\r\n");
    assertThat(ask(follower, "get k\r\n")).isEqualTo("END\r\n");
  }

  private static String ask(ProxyProcess proxy, String requests) {
    return new String(
        MemcachedProcess.answers(proxy.address().port(), requests.getBytes(ISO_8859_1)),
        ISO_8859_1);
  }

  private void startBothAtOnce() throws IOException {
    start(directory.resolve("metadata"));
    start(directory.resolve("metadata"));
    proxies.forEach(ProxyProcess::awaitServing);
    assertThat(owners()).isLessThanOrEqualTo(1);
    await().atMost(LIMIT).until(() -> hasOne("owner"));
  }

  private void start(Path metadata) throws IOException {
    ProxyProcess proxy =
        new ProxyProcess(
            metadata,
            MemcachedProcess.freePort(),
            servers,
            directory.resolve("proxy-%d.log".formatted(proxies.size())).toFile());
    proxies.add(proxy);
    proxy.start();
  }

  private HistoryClients clients(Random random, int keys) {
    HistoryClients clients = new HistoryClients(history, keys);
    for (int i = 0; i < 4; i++) {
      clients.begin(
          proxies.get(i % 2).address(),
          "client-%d-%d".formatted(i, random.nextInt(1000)),
          new Random(random.nextLong()));
    }
    return clients;
  }

  private long owners() {
    return proxies.stream().filter(proxy -> proxy.role().equals("owner")).count();
  }

  private boolean hasOne(String role) {
    return proxies.stream().anyMatch(proxy -> proxy.role().equals(role));
  }

  private ProxyProcess only(String role) {
    return await()
        .atMost(LIMIT)
        .until(
            () -> proxies.stream().filter(proxy -> proxy.role().equals(role)).findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private ProxyProcess other(ProxyProcess one) {
    return proxies.get(proxies.get(0) == one ? 1 : 0);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    }
  }
}
