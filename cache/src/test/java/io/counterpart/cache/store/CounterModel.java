package io.counterpart.cache.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The legal values of counters: at least the number of acknowledged additions of 1, at most the
 * number of additions sent, and each answer above those before. Each key has at most one addition
 * under way.
 */
final class CounterModel {
  private final Map<String, Counter> counters = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();

  private static final class Counter {
    private long sent;
    private long acknowledged;
    private long highest;
    private boolean isBusy;
  }

  private Counter counter(String key) {
    return counters.computeIfAbsent(key, k -> new Counter());
  }

  boolean isBusy(String key) {
    return counter(key).isBusy;
  }

  void begin(String key) {
    counter(key).isBusy = true;
    counter(key).sent++;
  }

  void failed(String key) {
    counter(key).isBusy = false;
  }

  void forgetWriters() {
    counters.values().forEach(counter -> counter.isBusy = false);
  }

  void counted(String key, long number) {
    Counter counter = counter(key);
    counter.isBusy = false;
    counter.acknowledged++;
    if (number < counter.acknowledged || number > counter.sent || number <= counter.highest) {
      problems.add(
          "%s counts %d: %d acknowledged, %d sent, %d before"
              .formatted(key, number, counter.acknowledged, counter.sent, counter.highest));
    }
    counter.highest = number;
  }

  List<String> problems() {
    return problems;
  }
}
