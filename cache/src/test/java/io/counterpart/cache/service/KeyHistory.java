package io.counterpart.cache.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * A history of several clients' writes and reads with times, and a checker that finds impossible
 * reads: of a value that was lost, overwritten before, or never written. All writes of a key have
 * different values. An uncertain write has taken effect when its client is told so, or never does;
 * a write without any answer may take effect at any time. Thread-safe.
 */
final class KeyHistory {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long AROUND_NANOS = TimeUnit.SECONDS.toNanos(7);
  private static final Write NOTHING = new Write(Long.MIN_VALUE, Long.MIN_VALUE, "", true);

  private final Map<String, List<Write>> writes = new TreeMap<>();
  private final Map<String, Map<String, Write>> byValue = new HashMap<>();
  private final Map<String, List<Read>> reads = new TreeMap<>();
  private long acknowledged;

  /**
   * @param end {@link Long#MAX_VALUE} if the client got no answer
   */
  record Write(long begin, long end, String value, boolean acknowledged) {
    @Override
    public String toString() {
      return (acknowledged ? "acknowledged, " : "uncertain, ") + span(begin, end);
    }
  }

  /**
   * @param value empty if there was none
   */
  record Read(long begin, long end, String value) {}

  synchronized void wrote(String key, Write write) {
    writes.computeIfAbsent(key, k -> new ArrayList<>()).add(write);
    byValue.computeIfAbsent(key, k -> new HashMap<>()).putIfAbsent(write.value(), write);
    acknowledged += write.acknowledged() ? 1 : 0;
  }

  synchronized void read(String key, Read read) {
    reads.computeIfAbsent(key, k -> new ArrayList<>()).add(read);
  }

  /** Waits until a hundred more writes are acknowledged. */
  void awaitWrites() {
    long before = acknowledged();
    Awaitility.await("writes").atMost(LIMIT).until(() -> acknowledged() > before + 100);
  }

  /** Reads all keys of clients through each proxy, and checks the whole history. */
  void check(int keys, List<ProxyProcess> proxies) throws InterruptedException {
    try (HistoryClients last = new HistoryClients(this, keys)) {
      for (ProxyProcess proxy : proxies) {
        Awaitility.await("all keys are read through one proxy")
            .atMost(LIMIT)
            .until(() -> last.readsAll(proxy.address()));
      }
    }
    assertThat(problems()).isEmpty();
  }

  synchronized long acknowledged() {
    return acknowledged;
  }

  /** The times at which writes that began at a time or later were acknowledged, in order. */
  synchronized List<Long> acknowledgements(long fromNanos) {
    return writes.values().stream()
        .flatMap(List::stream)
        .filter(write -> write.acknowledged() && write.begin() >= fromNanos)
        .map(Write::end)
        .sorted()
        .toList();
  }

  synchronized long reads() {
    return reads.values().stream().mapToLong(List::size).sum();
  }

  /** What is impossible, with a line each for what happened to the key around that time. */
  synchronized List<String> problems() {
    List<String> problems = new ArrayList<>();
    reads.forEach((key, list) -> list.forEach(read -> check(key, read, problems)));
    return problems;
  }

  private void check(String key, Read read, List<String> problems) {
    Write found = write(key, read.value());
    if (found == null || found.begin() > read.end()) {
      problems.add("%s: '%s' was not written before it was read".formatted(key, read.value()));
      return;
    }
    for (Write later : writes.getOrDefault(key, List.of())) {
      if (later.acknowledged() && later.end() < read.begin() && found.end() < later.begin()) {
        problems.add(
            "%s: '%s' was read after '%s' was acknowledged%s"
                .formatted(key, read.value(), later.value(), around(key, read.begin())));
        return;
      }
    }
    for (Read earlier : reads.get(key)) {
      Write seen = write(key, earlier.value());
      if (seen != null && earlier.end() < read.begin() && found.end() < seen.begin()) {
        problems.add(
            "%s: '%s' was read after '%s' was read".formatted(key, read.value(), seen.value()));
        return;
      }
    }
  }

  /** What happened to a key within some seconds, a line each. */
  private String around(String key, long nanos) {
    TreeMap<Long, String> lines = new TreeMap<>();
    for (Write write : writes.getOrDefault(key, List.of())) {
      lines.put(write.begin(), "wrote '%s' (%s)".formatted(shortened(write.value()), write));
    }
    for (Read read : reads.getOrDefault(key, List.of())) {
      lines.put(
          read.begin(),
          "read '%s' (%s)".formatted(shortened(read.value()), span(read.begin(), read.end())));
    }
    return lines.subMap(nanos - AROUND_NANOS, nanos + AROUND_NANOS).values().stream()
        .map(line -> "\n    " + line)
        .collect(Collectors.joining());
  }

  private static String shortened(String value) {
    return value.replaceAll("x+$", "") + value.length();
  }

  private static String span(long begin, long end) {
    return "%s to %s".formatted(moment(begin), moment(end));
  }

  /** Milliseconds since an arbitrary time. */
  static String moment(long nanos) {
    return nanos == Long.MIN_VALUE || nanos == Long.MAX_VALUE
        ? "never"
        : String.valueOf(TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  private Write write(String key, String value) {
    if (value.isEmpty()) {
      return NOTHING;
    }
    return byValue.getOrDefault(key, Map.of()).get(value);
  }
}
