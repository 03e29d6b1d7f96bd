package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.backend.FatalErrors;
import io.counterpart.cache.launch.BlockingClient;
import io.counterpart.cache.protocol.MemcachedProcess;
import java.io.File;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests that need more memory than a small proxy process has. */
@Timeout(300)
class RequestMemoryTest {
  private static final int MIB = 1 << 20;
  private static final int LARGE_BYTES = 900 << 10;
  private static final int LARGE = 20;
  private static final int NOT_READING = 60;
  private static final int WRITERS = 50;

  @TempDir private Path directory;

  private final List<MemcachedProcess> servers = new ArrayList<>();
  private final List<TextClient> clients = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    for (int i = 0; i < ProxyProcess.CODE.n(); i++) {
      servers.add(
          MemcachedProcess.start(MemcachedProcess.freePort(), "-I", "2m", "-M", "-m", "128"));
    }
  }

  @AfterEach
  void stop() throws IOException {
    for (TextClient client : clients) {
      client.close();
    }
    servers.forEach(MemcachedProcess::close);
  }

  private ProxyProcess proxy(String... options) throws IOException {
    ProxyProcess proxy =
        new ProxyProcess(directory.resolve("metadata"), MemcachedProcess.freePort(), servers, log())
            .with(options);
    proxy.start();
    proxy.awaitServing();
    return proxy;
  }

  private File log() {
    return directory.resolve("log").toFile();
  }

  private TextClient connect(ProxyProcess proxy) throws IOException {
    TextClient client = new TextClient(proxy.address().port());
    clients.add(client);
    return client;
  }

  @Test
  void clients_that_do_not_read_neither_hold_others_up_nor_take_all_memory() throws Exception {
    try (ProxyProcess proxy = proxy("-XX:MaxDirectMemorySize=64m")) {
      TextClient other = connect(proxy);
      storeLarge(other);

      List<TextClient> deaf = askWithoutReading(proxy);

      for (int i = 0; i < 300; i++) {
        byte[] value = value(i, 1000);
        assertThat(other.write("small" + i, value)).isEqualTo("STORED");
        assertThat(other.read("small" + i).value()).isEqualTo(value);
      }
      assertThat(other.read("large0").value()).isEqualTo(value(0, LARGE_BYTES));
      Map<String, String> stats = stats(proxy);
      long limit = Long.parseLong(stats.get("request_memory_limit"));
      assertThat(limit).isEqualTo(16 * MIB);
      assertThat(Long.parseLong(stats.get("request_memory"))).isPositive().isLessThan(limit + MIB);
      TextClient late = deaf.get(NOT_READING - 1);
      assertThat(readsAll(late) || isClosed(late)).as("answers are whole, or cut off").isTrue();
    }
  }

  private void storeLarge(TextClient client) throws IOException {
    for (int i = 0; i < LARGE; i++) {
      assertThat(client.write("large" + i, value(i, LARGE_BYTES))).isEqualTo("STORED");
    }
  }

  private List<TextClient> askWithoutReading(ProxyProcess proxy) throws IOException {
    String keys =
        IntStream.range(0, LARGE).mapToObj(i -> "large" + i).collect(Collectors.joining(" "));
    List<TextClient> asking = new ArrayList<>();
    for (int i = 0; i < NOT_READING; i++) {
      TextClient client = connect(proxy);
      client.send(("get " + keys + "\r\n").getBytes(ISO_8859_1));
      asking.add(client);
    }
    return asking;
  }

  private static boolean readsAll(TextClient client) throws IOException {
    try {
      for (int i = 0; i < LARGE; i++) {
        assertThat(client.item()).isEqualTo(value(i, LARGE_BYTES));
      }
      return client.line().equals("END");
    } catch (java.io.EOFException | SocketException cutOff) {
      return false;
    }
  }

  private static boolean isClosed(TextClient client) {
    try {
      client.line();
      return false;
    } catch (IOException closed) {
      return true;
    }
  }

  @Test
  void fifty_sets_of_a_mebibyte_at_once_are_all_done() throws Exception {
    try (ProxyProcess proxy = proxy("-XX:MaxDirectMemorySize=40m")) {
      List<CompletableFuture<String>> writes = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        TextClient client = connect(proxy);
        byte[] value = value(i, MIB);
        int key = i;
        writes.add(
            CompletableFuture.supplyAsync(
                () -> write(client, "key" + key, value), task -> new Thread(task).start()));
      }

      for (CompletableFuture<String> write : writes) {
        assertThat(write.get()).isEqualTo("STORED");
      }

      TextClient reader = connect(proxy);
      for (int i = 0; i < WRITERS; i++) {
        assertThat(reader.read("key" + i).value()).isEqualTo(value(i, MIB));
      }
    }
  }

  private static String write(TextClient client, String key, byte[] value) {
    try {
      return client.write(key, value);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** The budget of a gibibyte amounts to none. */
  @Test
  void memory_that_is_gone_ends_the_process_and_empties_no_server() throws Exception {
    try (ProxyProcess proxy =
        proxy("-XX:MaxDirectMemorySize=40m", "-D" + ProxyProcess.REQUEST_MEGABYTES + "=1024")) {
      storeLarge(connect(proxy));
      try {
        askWithoutReading(proxy);
      } catch (SocketException ended) {
        // some may come too late
      }
      assertThat(proxy.awaitExit(Duration.ofSeconds(60))).isEqualTo(FatalErrors.EXIT_CODE);
      assertThat(Files.readString(log().toPath())).contains("the process ends, since it cannot go");
    }

    try (ProxyProcess again = proxy("-XX:MaxDirectMemorySize=64m")) {
      TextClient client = connect(again);
      for (int i = 0; i < LARGE; i++) {
        assertThat(client.read("large" + i).value()).isEqualTo(value(i, LARGE_BYTES));
      }
      for (MemcachedProcess server : servers) {
        assertThat(new String(server.answers("stats\r\n".getBytes(ISO_8859_1)), ISO_8859_1))
            .as("emptied once, when the tier was made")
            .contains("STAT cmd_flush 1\r\n");
      }
    }
  }

  private static byte[] value(int seed, int length) {
    byte[] value = new byte[length];
    new Random(seed).nextBytes(value);
    return value;
  }

  private static Map<String, String> stats(ProxyProcess proxy) throws IOException {
    try (BlockingClient client =
        BlockingClient.connect(proxy.address(), null, null, Duration.ofSeconds(40))) {
      return client.stats();
    }
  }
}
