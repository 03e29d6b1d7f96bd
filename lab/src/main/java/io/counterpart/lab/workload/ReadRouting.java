package io.counterpart.lab.workload;

import java.util.Locale;

/** To which node the client sends a read; the coordinator may send it on. */
public enum ReadRouting {
  /** Some replica of the row, another each time: the Java driver's default. */
  ANY_REPLICA,
  /**
   * The row's first replica in ring order: the default of gocql's token-aware policy, and of the
   * Python driver's with {@code shuffle_replicas=False}.
   */
  PRIMARY_REPLICA;

  /** Name of the driver's execution profile that routes so. */
  String profile() {
    return name().toLowerCase(Locale.ROOT);
  }
}
