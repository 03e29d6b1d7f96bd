package io.counterpart.cache.objects;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coding.CodeShape;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.stream.IntStream;

/** Access to one of a tier's servers behind the tier's back. */
final class RawServer {
  /** The key of its mark on the wire. */
  static final String MARK = Base64.getEncoder().encodeToString(new byte[] {0, 0x1f, 'c', 'M', 0});

  private static final byte[] PARITY = {0, 0x1f, 'c', 'P', 0};

  private final CodedServers servers;
  private final int number;

  RawServer(CodedServers servers, int number) {
    this.servers = servers;
    this.number = number;
  }

  /** Key of a stripe's parity item in base64, for commands with the flag b. */
  static String parityKey(int stripe, int parity) {
    ByteBuffer key = ByteBuffer.allocate(10).put(PARITY).putInt(stripe).put((byte) parity);
    return Base64.getEncoder().encodeToString(key.array());
  }

  int port() {
    String name = servers.id(number).name();
    return Integer.parseInt(name.substring(name.indexOf(':') + 1));
  }

  /** Its mark; empty if it has none. */
  String mark() {
    return value("mg " + MARK + " b v\r\n");
  }

  /** Whether the marks of all servers say that they are whole. */
  static boolean areWhole(CodedServers servers) {
    return IntStream.range(0, servers.count())
        .allMatch(server -> new RawServer(servers, server).mark().endsWith(" whole"));
  }

  void setMark(String text) {
    String request = "ms %s %d b\r\n%s\r\n".formatted(MARK, text.length(), text);
    assertThat(answer(request)).startsWith("HD");
  }

  void deleteMark() {
    assertThat(answer("md " + MARK + " b\r\n")).startsWith("HD");
  }

  /** The bytes of a parity item; empty if it has none. */
  String parity(int stripe, int parity) {
    return value("mg " + parityKey(stripe, parity) + " b v\r\n");
  }

  void putBackParity(int stripe, int parity, String item) {
    String request =
        "ms %s %d b\r\n%s\r\n".formatted(parityKey(stripe, parity), item.length(), item);
    assertThat(answer(request)).startsWith("HD");
  }

  /** Deletes its parity items of the first stripes; returns whether it had some. */
  boolean deleteParity(int stripes, CodeShape code) {
    StringBuilder commands = new StringBuilder();
    for (int stripe = 0; stripe < stripes; stripe++) {
      for (int parity = 0; parity < code.parityCount(); parity++) {
        commands.append("md %s b\r\n".formatted(parityKey(stripe, parity)));
      }
    }
    return answer(commands.toString()).contains("HD");
  }

  /** The bytes of an object's record; empty if it has none. */
  String record(String key) {
    return value("mg " + key + " v\r\n");
  }

  void putBack(String key, String record) {
    String request = "ms %s %d\r\n%s\r\n".formatted(key, record.length(), record);
    assertThat(answer(request)).startsWith("HD");
  }

  /** Deletes an object's record. */
  void delete(String key) {
    assertThat(answer("md " + key + "\r\n")).startsWith("HD");
  }

  void flush() {
    assertThat(answer("flush_all\r\n")).startsWith("OK");
  }

  /** Number of times that it was emptied. */
  long flushes() {
    return statistic("cmd_flush");
  }

  /** Number of items that it was asked for. */
  long gets() {
    return statistic("cmd_get");
  }

  /** Number of items that it has. */
  long items() {
    return statistic("curr_items");
  }

  private long statistic(String name) {
    String begin = "STAT " + name + " ";
    return answer("stats\r\n")
        .lines()
        .filter(line -> line.startsWith(begin))
        .mapToLong(line -> Long.parseLong(line.substring(begin.length())))
        .sum();
  }

  private String value(String request) {
    String answer = answer(request);
    if (!answer.startsWith("VA ")) {
      return "";
    }
    return answer.substring(answer.indexOf('\n') + 1, answer.length() - 2);
  }

  private String answer(String request) {
    return new String(servers.answers(number, request.getBytes(ISO_8859_1)), ISO_8859_1);
  }
}
