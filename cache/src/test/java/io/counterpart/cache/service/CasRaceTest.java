package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two clients that count in one object, each on its own connection: each adds to its own number and
 * leaves the other's. No count may be lost or reappear, and one version has one value.
 */
@Timeout(120)
class CasRaceTest {
  private static final String KEY = "counts";
  private static final int COUNTS = 1_000;

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(Scheme.class)
  void no_count_is_lost(Scheme scheme) throws Exception {
    try (TestedProxy proxy = TestedProxy.start(scheme, directory, 64)) {
      assertThat(race(proxy, () -> null)).isEmpty();
    }
  }

  @Test
  void nor_while_servers_are_killed_and_come_back_empty() throws Exception {
    try (TestedProxy proxy = TestedProxy.start(Scheme.ECHASH, directory, 64)) {
      assertThat(
              race(
                  proxy,
                  () -> {
                    for (int server = 0; server < 3; server++) {
                      // restored before the next: the code bears two that are away
                      proxy.killAndRestore(server);
                    }
                    return null;
                  }))
          .isEmpty();
    }
  }

  /** Step by step: left alone, one client may be through before the other begins. */
  @Test
  void counts_written_without_a_version_are_missed_by_the_checker() throws Exception {
    try (TestedProxy proxy = TestedProxy.start(Scheme.ECHASH, directory, 64);
        TextClient first = proxy.client();
        TextClient second = proxy.client()) {
      assertThat(first.write(KEY, "0 0".getBytes(ISO_8859_1))).isEqualTo("STORED");
      Map<Long, String> versions = new ConcurrentHashMap<>();
      Counter one = new Counter(0, first, versions, false);
      Counter other = new Counter(1, second, versions, false);
      long foundByOne = one.look().orElseThrow();
      long foundByOther = other.look().orElseThrow();

      assertThat(one.add(foundByOne)).isTrue();
      assertThat(other.add(foundByOther)).isTrue();

      assertThat(one.look()).isEmpty();
      assertThat(one.problems).isNotEmpty();
    }
  }

  /**
   * Impossible values that the clients have seen; both count until they and the faults are done.
   */
  private static List<String> race(TestedProxy proxy, Callable<?> faults) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try (TextClient first = proxy.client();
        TextClient second = proxy.client()) {
      assertThat(first.write(KEY, "0 0".getBytes(ISO_8859_1))).isEqualTo("STORED");
      Map<Long, String> versions = new ConcurrentHashMap<>();
      Future<?> trouble = threads.submit(faults);
      List<Counter> counters =
          List.of(new Counter(0, first, versions, true), new Counter(1, second, versions, true));
      List<Future<List<String>>> problems = new ArrayList<>();
      for (Counter counter : counters) {
        problems.add(threads.submit(() -> counter.count(trouble)));
      }
      List<String> all = new ArrayList<>();
      for (Future<List<String>> each : problems) {
        all.addAll(each.get());
      }
      trouble.get();
      if (all.isEmpty()) {
        String last = new String(first.read(KEY).value(), ISO_8859_1);
        counters.forEach(counter -> all.addAll(counter.judge(last)));
      }
      return all;
    } finally {
      threads.shutdownNow();
    }
  }

  /** One client; belongs to one thread, except the versions. */
  private static final class Counter {
    private final int place;
    private final TextClient client;
    private final Map<Long, String> versions;
    private final boolean versioned;
    private final List<String> problems = new ArrayList<>();
    private long own;
    private long others;
    private boolean unsure;

    Counter(int place, TextClient client, Map<Long, String> versions, boolean versioned) {
      this.place = place;
      this.client = client;
      this.versions = versions;
      this.versioned = versioned;
    }

    List<String> count(Future<?> trouble) throws Exception {
      for (int done = 0; (done < COUNTS || !trouble.isDone()) && problems.isEmpty(); ) {
        OptionalLong version = look();
        if (version.isPresent() && add(version.getAsLong())) {
          done++;
        }
      }
      return problems;
    }

    /** Reads the counts; returns their version, unless there are none or impossible ones. */
    OptionalLong look() throws Exception {
      TextClient.Got got = client.read(KEY);
      if (got.value() == null) {
        if (got.isMiss()) {
          problems.add("the object is gone");
        }
        return OptionalLong.empty();
      }
      String value = new String(got.value(), ISO_8859_1);
      String before = versions.putIfAbsent(got.version(), value);
      if (before != null && !before.equals(value)) {
        problems.add("version %d is '%s' and '%s'".formatted(got.version(), before, value));
      }
      problems.addAll(judge(value));
      return problems.isEmpty() ? OptionalLong.of(got.version()) : OptionalLong.empty();
    }

    /** Accepts a value that was read, or returns the reasons why it is impossible. */
    List<String> judge(String value) {
      String[] numbers = value.split(" ");
      long mine = Long.parseLong(numbers[place]);
      long theirs = Long.parseLong(numbers[1 - place]);
      if (mine != own && !(unsure && mine == own + 1)) {
        return List.of("client %d had counted %d, then '%s'".formatted(place, own, value));
      }
      if (theirs < others) {
        return List.of("client %d saw %d of the other, then '%s'".formatted(place, others, value));
      }
      unsure = unsure && mine == own;
      own = mine;
      others = theirs;
      return List.of();
    }

    private boolean add(long version) throws Exception {
      String[] numbers = {String.valueOf(others), String.valueOf(others)};
      numbers[place] = String.valueOf(own + 1);
      byte[] next = String.join(" ", numbers).getBytes(ISO_8859_1);
      String line = versioned ? client.write(KEY, next, version) : client.write(KEY, next);
      switch (line) {
        case "STORED" -> {
          own++;
          unsure = false;
          return true;
        }
        case "EXISTS" -> {
          return false;
        }
        default -> {
          if (line.startsWith("SERVER_ERROR")) {
            // done or not
            unsure = true;
          } else {
            problems.add("cas is answered by '" + line + "'");
          }
          return false;
        }
      }
    }
  }
}
