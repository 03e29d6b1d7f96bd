package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.control.ControlClient;
import io.counterpart.cache.control.ServerChange;
import io.counterpart.cache.control.ServerReport;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.proxy.Access;
import io.counterpart.cache.proxy.MemoryLimits;
import io.counterpart.testkit.random.SeededRandom;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A proxy of several shards, each with three real memcached servers of its own. */
@ExtendWith(SeededRandom.class)
@Timeout(240)
class ShardedServiceTest {
  private static final int RINGS = CodedServiceFixture.CODE.n();
  private static final int OBJECTS = 400;

  /** So many budgets as four shards have. */
  private static final MemoryLimits MEMORY = MemoryLimits.ofTotal(8 * MemoryLimits.MIN_TOTAL_BYTES);

  @TempDir Path directory;

  private final List<MemcachedProcess> servers = new ArrayList<>();

  @AfterEach
  void stop() {
    servers.forEach(MemcachedProcess::close);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void objects_outlive_a_server_of_each_shard_and_the_proxy(int shards, Random random)
      throws Exception {
    Map<String, String> values;
    try (CacheService service = start(shards)) {
      values = store(service, random);
      assertThat(wrong(service, values)).isEmpty();
      assertThat(stat(service, "role"))
          .isEqualTo("owner of %d of %d shards".formatted(shards, shards));
      assertThat(stat(service, "threads")).isEqualTo(String.valueOf(shards));
      String objects = String.valueOf(values.size());
      // it is not told where the servers are late with their statistics
      await().untilAsserted(() -> assertThat(stat(service, "curr_items")).isEqualTo(objects));
      TierReport report = report();
      assertThat(report.coded().objects()).isEqualTo(values.size());
      for (int shard = 0; shard < shards; shard++) {
        assertThat(servers(report, shard)).hasSize(RINGS);
        servers.get(number(servers(report, shard).get(random.nextInt(RINGS)).address())).close();
      }

      assertThat(wrong(service, values)).isEmpty();
      values.putAll(store(service, random));
    }
    try (CacheService again = start(shards)) {
      assertThat(wrong(again, values)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2})
  void a_server_that_returns_is_emptied_and_no_server_of_another_shard(int shards, Random random)
      throws Exception {
    try (CacheService service = start(shards)) {
      Map<String, String> values = store(service, random);
      List<ServerReport> others = servers(report(), 1);
      Map<String, String> before = flushes(others);
      int victim = number(servers(report(), 0).get(1).address());

      servers.get(victim).close();
      values.putAll(store(service, random));
      servers.set(victim, Services.codedOn(servers.get(victim).port()));
      await("it is restored")
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                TierReport report = report();
                assertThat(report.servers()).allMatch(server -> server.state().equals("up"));
                assertThat(report.coded().stripesToRestore()).isZero();
              });

      assertThat(flushes(others)).isEqualTo(before);
      servers.get(number(servers(report(), 0).get(0).address())).close();
      servers.get(number(servers(report(), 1).get(0).address())).close();
      assertThat(wrong(service, values)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4})
  void flush_all_empties_every_shard(int shards, Random random) throws Exception {
    try (CacheService service = start(shards)) {
      Map<String, String> values = store(service, random);

      assertThat(exchange(service, "flush_all\r\n")).isEqualTo("OK\r\n");

      for (String key : values.keySet()) {
        assertThat(exchange(service, "get " + key + "\r\n")).isEqualTo("END\r\n");
      }
      assertThat(report().coded().objects()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2})
  void servers_are_added_to_the_smallest_shard_and_removed_from_one(int shards, Random random)
      throws Exception {
    servers.addAll(Services.coded(shards * RINGS + 1));
    try (CacheService service = start(shards)) {
      Map<String, String> values = store(service, random);
      assertThat(servers(report(), 0)).hasSize(RINGS + 1);
      servers.addAll(Services.coded(2));
      String first = address(servers.size() - 2);
      String second = address(servers.size() - 1);

      change("add " + first);
      assertThat(servers(report(), 1)).hasSize(RINGS + 1).extracting("address").contains(first);
      change("add " + second);
      assertThat(servers(report(), 0)).hasSize(RINGS + 2).extracting("address").contains(second);
      assertThatThrownBy(() -> change("remove " + first + " " + second))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("legal: some of one shard, of [");
      assertThatThrownBy(() -> change("add " + first))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(first + " is in shard 1");
      change("remove " + first);
      assertThat(servers(report(), 1)).hasSize(RINGS);

      assertThat(wrong(service, values)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2})
  void another_number_of_shards_is_refused(int shards, Random random) throws Exception {
    Map<String, String> values;
    try (CacheService service = start(shards)) {
      values = store(service, random);
    }

    assertThatThrownBy(() -> start(1))
        .hasMessageContaining("scheme echash (3,2) shards 2, not echash (3,2)");

    try (CacheService again = start(shards)) {
      assertThat(wrong(again, values)).isEmpty();
    }
  }

  private CacheService start(int shards) throws IOException {
    if (servers.isEmpty()) {
      servers.addAll(Services.coded(shards * RINGS));
    }
    List<ServerAddress> addresses =
        servers.stream().map(server -> new ServerAddress("127.0.0.1", server.port())).toList();
    return CacheService.start(
        new ServiceOptions(
            new SchemeOptions(Scheme.ECHASH, CodedServiceFixture.CODE, directory.resolve("tier"))
                .sharded(shards),
            addresses,
            null,
            Services.ANY_PORT,
            Access.OPEN,
            MEMORY,
            Services.ANY_PORT,
            directory.resolve("control")));
  }

  private String address(int server) {
    return "127.0.0.1:" + servers.get(server).port();
  }

  private int number(String address) {
    return servers.stream().map(server -> "127.0.0.1:" + server.port()).toList().indexOf(address);
  }

  private TierReport report() throws IOException {
    try (ControlClient client = ControlClient.connect(directory.resolve("control"))) {
      return client.report();
    }
  }

  private void change(String change) throws IOException {
    try (ControlClient client = ControlClient.connect(directory.resolve("control"))) {
      client.change(ServerChange.parse(change), progress -> {});
    }
  }

  private static List<ServerReport> servers(TierReport report, int shard) {
    return report.servers().stream().filter(server -> server.shard() == shard).toList();
  }

  private static Map<String, String> flushes(List<ServerReport> servers) {
    return servers.stream()
        .collect(
            Collectors.toMap(
                ServerReport::address,
                server ->
                    stat(Integer.parseInt(server.address().replaceAll(".*:", "")), "cmd_flush")));
  }

  private static Map<String, String> store(CacheService service, Random random) {
    Map<String, String> values = new TreeMap<>();
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < OBJECTS; i++) {
      String key = "k" + random.nextInt(10 * OBJECTS);
      int length = random.nextInt(20) == 0 ? random.nextInt(200_000) : random.nextInt(2000);
      String value = Integer.toString(random.nextInt(), 36).repeat(1 + length / 7);
      requests.append("set %s 0 0 %d\r\n%s\r\n".formatted(key, value.length(), value));
      values.put(key, value);
    }
    assertThat(exchange(service, requests.toString())).isEqualTo("STORED\r\n".repeat(OBJECTS));
    return values;
  }

  /** Keys whose value is not the last one, by two connections: they may be on two event loops. */
  private static List<String> wrong(CacheService service, Map<String, String> values) {
    List<String> wrong = new ArrayList<>();
    StringBuilder one = new StringBuilder();
    StringBuilder expected = new StringBuilder();
    for (Map.Entry<String, String> entry : values.entrySet()) {
      String value = entry.getValue();
      String answer =
          "VALUE %s 0 %d\r\n%s\r\nEND\r\n".formatted(entry.getKey(), value.length(), value);
      one.append("get ").append(entry.getKey()).append("\r\n");
      expected.append(answer);
      if (!exchange(service, "get " + entry.getKey() + "\r\n").equals(answer)) {
        wrong.add(entry.getKey());
      }
    }
    if (!exchange(service, one.toString()).contentEquals(expected)) {
      wrong.add("pipelined");
    }
    return wrong;
  }

  private static String stat(CacheService service, String name) {
    return stat(service.address().getPort(), name);
  }

  private static String stat(int port, String name) {
    Matcher line =
        Pattern.compile("STAT " + name + " (.*)\r\n")
            .matcher(
                new String(
                    MemcachedProcess.answers(port, "stats\r\n".getBytes(ISO_8859_1)), ISO_8859_1));
    assertThat(line.find()).as(name).isTrue();
    return line.group(1);
  }

  private static String exchange(CacheService service, String requests) {
    return new String(
        MemcachedProcess.answers(service.address().getPort(), requests.getBytes(ISO_8859_1)),
        ISO_8859_1);
  }
}
