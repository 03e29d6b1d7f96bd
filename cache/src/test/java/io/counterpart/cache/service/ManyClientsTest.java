package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Many, slow and interrupted clients of a proxy with real servers. */
@Timeout(120)
class ManyClientsTest {
  private static final int IDLE = 10_000;
  private static final int SLOW = 300;
  private static final int CUT = 600;
  private static final int MIB = 1 << 20;
  private static final UnixOperatingSystemMXBean SYSTEM =
      (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  @TempDir private Path directory;

  @Test
  void clients_that_have_read_many_keys_at_once_keep_nothing() throws Exception {
    try (TestedProxy proxy = TestedProxy.start(Scheme.VANILLA, directory, 64)) {
      String keys =
          IntStream.range(0, 4_000)
              .mapToObj(i -> " " + "k".repeat(200) + i)
              .collect(Collectors.joining());
      byte[] request = ("get" + keys + "\r\n").getBytes(ISO_8859_1);
      long heapBefore = TestedProxy.heapBytes();
      List<TextClient> clients = connect(proxy, 40);
      for (TextClient client : clients) {
        client.send(request);
        assertThat(client.line()).isEqualTo("END");
      }

      assertThat(TestedProxy.heapBytes() - heapBefore).isLessThan(10L * MIB);
      for (TextClient client : clients) {
        client.close();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void who_ends_at_once_gets_all_answers(boolean quits) throws Exception {
    try (TestedProxy proxy = TestedProxy.start(Scheme.VANILLA, directory, 64);
        TextClient writer = proxy.client();
        Socket socket = new Socket()) {
      byte[] value = new byte[MIB - 1_000];
      for (int i = 0; i < 5; i++) {
        assertThat(writer.write("last-" + i, value)).isEqualTo("STORED");
      }
      socket.setReceiveBufferSize(64 << 10);
      socket.setSoTimeout(30_000);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()));
      String requests = "get last-0 last-1 last-2 last-3 last-4\r\n" + (quits ? "quit\r\n" : "");
      socket.getOutputStream().write(requests.getBytes(ISO_8859_1));
      if (!quits) {
        socket.shutdownOutput();
      }
      Thread.sleep(500); // by now more is answered than the kernel takes

      int itemBytes =
          ("VALUE last-0 0 " + value.length + "\r\n").length() + value.length + "\r\n".length();
      assertThat(socket.getInputStream().readAllBytes())
          .hasSize(5 * itemBytes + "END\r\n".length());
    }
  }

  @Test
  void ten_thousand_idle_clients_cost_little_and_leave_nothing() throws Exception {
    long files = SYSTEM.getMaxFileDescriptorCount();
    if (files < IDLE + 1_000) {
      String missing =
          "SKIPPED, because a process may have %d files open (ulimit -n), needed: %d"
              .formatted(files, IDLE + 1_000);
      System.err.println(missing);
      assumeTrue(false, missing);
    }
    try (TestedProxy proxy = TestedProxy.start(Scheme.ECHASH, directory, 64);
        TextClient client = proxy.client()) {
      assertServes(client, "warm", 500);
      long heapBefore = TestedProxy.heapBytes();
      long buffersBefore = TestedProxy.bufferBytes();
      long filesBefore = SYSTEM.getOpenFileDescriptorCount();
      try (IdleClients idle = IdleClients.start(proxy.port(), IDLE)) {
        assertThat(proxy.clients()).isEqualTo(IDLE + 1);

        assertServes(client, "busy", 500);

        assertThat((TestedProxy.heapBytes() - heapBefore) / IDLE)
            .as("bytes of heap for each")
            .isLessThan(16 << 10);
        assertThat(TestedProxy.bufferBytes() - buffersBefore)
            .as("bytes of buffers for all")
            .isLessThan(64 * MIB);
        assertThat(idle.ask()).as("those that wake up").isEqualTo(IDLE);
      }
      await().atMost(Duration.ofSeconds(40)).until(() -> proxy.clients() == 1);

      assertServes(client, "after", 500);
      assertThat(TestedProxy.heapBytes() - heapBefore).as("heap").isLessThan(16 * MIB);
      assertThat(SYSTEM.getOpenFileDescriptorCount() - filesBefore).as("files").isLessThan(50);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"VANILLA", "ECHASH"})
  void clients_that_write_byte_by_byte_hold_nobody_up(Scheme scheme) throws Exception {
    try (TestedProxy proxy = TestedProxy.start(scheme, directory, 64);
        TextClient client = proxy.client()) {
      assertServes(client, "warm", 500);
      List<TextClient> slow = connect(proxy, SLOW);
      List<byte[]> requests = new ArrayList<>();
      for (int i = 0; i < SLOW; i++) {
        // of one length, so that all end together
        requests.add(TextClient.set("slow-%04d".formatted(i), value(10_000 + i)));
      }
      int length = requests.get(0).length;
      for (int position = 0; position < length; position++) {
        for (int i = 0; i < SLOW; i++) {
          slow.get(i).send(requests.get(i), position, 1);
        }
        Thread.sleep(2);
        if (position < length - 1) {
          assertServes(client, "between-" + position, 1); // all others are in their requests
        }
      }
      for (TextClient each : slow) {
        assertThat(each.line()).isEqualTo("STORED");
      }

      for (int i = 0; i < SLOW; i++) {
        assertThat(client.read("slow-%04d".formatted(i)).value()).isEqualTo(value(10_000 + i));
      }
      for (TextClient each : slow) {
        each.close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"VANILLA", "ECHASH"})
  void a_write_that_is_cut_off_changes_nothing_and_leaves_nothing(Scheme scheme) throws Exception {
    try (TestedProxy proxy = TestedProxy.start(scheme, directory, 64);
        TextClient client = proxy.client()) {
      assertServes(client, "cut", CUT);
      long bytesBefore = TestedProxy.bufferBytes();
      long buffersBefore = TestedProxy.largeBuffers();
      byte[] large = new byte[MIB - 1_000];
      List<TextClient> cut = connect(proxy, CUT);
      for (int i = 0; i < CUT; i++) {
        // in the line, behind it, in the value, before its end; some after a whole write
        byte[] request = TextClient.set("cut-" + i, large);
        int[] lengths = {7, 22, 400_000};
        int length = i % 100 == 3 ? request.length - 1 : lengths[i % 3];
        if (i % 2 == 0) {
          cut.get(i).send(TextClient.set("whole-" + i, value(i)));
        }
        cut.get(i).send(request, 0, length);
      }
      // what is announced is not reserved
      assertThat(TestedProxy.bufferBytes() - bytesBefore).isLessThan(CUT / 2L * MIB);

      for (int i = 0; i < CUT; i += 2) {
        // else a reset may overtake it
        assertThat(cut.get(i).line()).isEqualTo("STORED");
      }
      for (int i = 0; i < CUT; i++) {
        if (i % 5 == 0) {
          cut.get(i).close();
        } else {
          cut.get(i).cut();
        }
      }

      await().atMost(Duration.ofSeconds(40)).until(() -> proxy.clients() == 1);
      for (int i = 0; i < CUT; i++) {
        assertThat(client.read("cut-" + i).value()).as("cut-%d", i).isEqualTo(value(i));
        if (i % 2 == 0) {
          assertThat(client.read("whole-" + i).value()).isEqualTo(value(i));
        }
      }
      assertThat(TestedProxy.largeBuffers() - buffersBefore)
          .as("buffers of %d cut writes", CUT)
          .isLessThan(CUT / 10);
    }
  }

  private static List<TextClient> connect(TestedProxy proxy, int count) throws IOException {
    List<TextClient> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      clients.add(proxy.client());
    }
    return clients;
  }

  /** Writes and reads some objects. */
  private static void assertServes(TextClient client, String name, int objects) throws IOException {
    for (int i = 0; i < objects; i++) {
      assertThat(client.write(name + "-" + i, value(i))).isEqualTo("STORED");
    }
    for (int i = 0; i < objects; i++) {
      assertThat(client.read(name + "-" + i).value()).isEqualTo(value(i));
    }
  }

  private static byte[] value(int i) {
    return ("value of " + i).getBytes(ISO_8859_1);
  }
}
