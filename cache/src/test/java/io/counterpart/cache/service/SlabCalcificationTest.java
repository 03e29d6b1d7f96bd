package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Servers whose memory consists of slabs of one size when values of another size arrive. Writes
 * succeed or fail with a clear error, and no read ever finds other bytes.
 */
@Timeout(120)
class SlabCalcificationTest {
  private static final String FULL = "SERVER_ERROR out of memory storing object";
  private static final int MEGABYTES = 4;
  private static final int SMALL = 1_000;
  private static final int LARGE = 20_000;
  private static final int AT_ONCE = 50;

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(names = {"VANILLA", "ECHASH"})
  void memory_full_of_one_size_gives_no_wrong_byte_of_another(Scheme scheme) throws Exception {
    try (TestedProxy proxy = TestedProxy.start(scheme, directory, MEGABYTES);
        TextClient client = proxy.client()) {
      // more than all servers together have memory for
      Stored small = write(client, "small", SMALL, 5 * MEGABYTES * 1_000);
      if (scheme.evicts()) {
        assertThat(small.refused()).isZero();
      } else {
        assertThat(small.refused()).isPositive();
      }
      Stored large = write(client, "large", LARGE, 300);

      check(scheme, client, small);
      check(scheme, client, large);
      grow(scheme, client, small);
      check(scheme, client, small);

      delete(client, small);
      Stored again = write(client, "again", LARGE, 300);
      Stored same = write(client, "same", SMALL, 300);

      // slabs of a size serve that size once its values are gone; journals may want others
      assertThat(same.kept()).isNotEmpty();
      check(scheme, client, large);
      check(scheme, client, again);
      check(scheme, client, same);
    }
  }

  /** Objects that need a slab of another size are whole or gone. */
  private static void grow(Scheme scheme, TextClient client, Stored small) throws IOException {
    for (int i : List.copyOf(small.kept()).subList(0, 200)) {
      small.kept().remove(i);
      String key = small.name() + "-" + i;
      String line = client.write(key, value(key, LARGE));
      TextClient.Got got = client.read(key);
      if (line.equals("STORED")) {
        assertThat(got.isMiss() && scheme.evicts() || holds(got, key, LARGE)).as(key).isTrue();
      } else {
        assertThat(line).isEqualTo(FULL);
        assertThat(got.isMiss() || holds(got, key, SMALL)).as("%s: %s", key, got.line()).isTrue();
      }
    }
  }

  private static boolean holds(TextClient.Got got, String key, int bytes) {
    return got.value() != null && Arrays.equals(got.value(), value(key, bytes));
  }

  /**
   * The outcome of writes.
   *
   * @param kept numbers of the acknowledged ones
   */
  private record Stored(String name, int bytes, TreeSet<Integer> kept, int refused) {}

  /** Writes new objects, several at once. */
  private static Stored write(TextClient client, String name, int bytes, int count)
      throws IOException {
    TreeSet<Integer> kept = new TreeSet<>();
    int refused = 0;
    for (int from = 0; from < count && refused < 200; from += AT_ONCE) {
      ByteArrayOutputStream requests = new ByteArrayOutputStream();
      for (int i = from; i < from + AT_ONCE; i++) {
        String key = name + "-" + i;
        requests.writeBytes(TextClient.set(key, value(key, bytes)));
      }
      client.send(requests.toByteArray());
      for (int i = from; i < from + AT_ONCE; i++) {
        String line = client.line();
        if (line.equals("STORED")) {
          kept.add(i);
        } else {
          assertThat(line).as("%s-%d", name, i).isEqualTo(FULL);
          refused++;
        }
      }
    }
    return new Stored(name, bytes, kept, refused);
  }

  /**
   * Checks that all acknowledged objects are there, byte by byte; a scheme that evicts may lack
   * some.
   */
  private static void check(Scheme scheme, TextClient client, Stored stored) throws IOException {
    List<String> problems = new ArrayList<>();
    for (List<Integer> some : batches(stored)) {
      send(client, "gets", stored, some);
      for (int i : some) {
        String key = stored.name() + "-" + i;
        TextClient.Got got = client.answer();
        if (!holds(got, key, stored.bytes()) && !(scheme.evicts() && got.isMiss())) {
          problems.add(key + ": " + got.line());
        }
      }
    }
    assertThat(problems).isEmpty();
  }

  /** Sends a command for each of some objects, all in one piece. */
  private static void send(TextClient client, String command, Stored stored, List<Integer> some)
      throws IOException {
    client.send(
        some.stream()
            .map(i -> "%s %s-%d\r\n".formatted(command, stored.name(), i))
            .collect(Collectors.joining())
            .getBytes(ISO_8859_1));
  }

  private static void delete(TextClient client, Stored stored) throws IOException {
    for (List<Integer> some : batches(stored)) {
      send(client, "delete", stored, some);
      for (int i : some) {
        assertThat(client.line()).as("%d", i).isIn("DELETED", "NOT_FOUND");
      }
    }
  }

  private static List<List<Integer>> batches(Stored stored) {
    List<Integer> all = List.copyOf(stored.kept());
    List<List<Integer>> batches = new ArrayList<>();
    for (int from = 0; from < all.size(); from += AT_ONCE) {
      batches.add(all.subList(from, Math.min(all.size(), from + AT_ONCE)));
    }
    return batches;
  }

  private static byte[] value(String key, int bytes) {
    byte[] value = new byte[bytes];
    new Random(key.hashCode() * 31L + bytes).nextBytes(value);
    return value;
  }
}
