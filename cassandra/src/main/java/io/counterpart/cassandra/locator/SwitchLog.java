package io.counterpart.cassandra.locator;

import io.counterpart.core.selection.Switch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.locator.InetAddressAndPort;

/** The last switches of each endpoint, newest first, at most {@value #MOST} each. Thread-safe. */
final class SwitchLog {
  static final int MOST = 10;

  private static final int MOST_ENDPOINTS = 10_000;

  private final Map<InetAddressAndPort, Deque<Switch<InetAddressAndPort>>> byEndpoint =
      new HashMap<>();

  synchronized void add(Switch<InetAddressAndPort> change) {
    if (byEndpoint.size() >= MOST_ENDPOINTS && !byEndpoint.containsKey(change.endpoint())) {
      byEndpoint.clear();
    }
    Deque<Switch<InetAddressAndPort>> last =
        byEndpoint.computeIfAbsent(change.endpoint(), unused -> new ArrayDeque<>());
    last.addFirst(change);
    if (last.size() > MOST) {
      last.removeLast();
    }
  }

  synchronized List<Switch<InetAddressAndPort>> last(InetAddressAndPort endpoint) {
    Deque<Switch<InetAddressAndPort>> last = byEndpoint.get(endpoint);
    return last == null ? List.of() : new ArrayList<>(last);
  }
}
