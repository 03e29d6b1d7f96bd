package io.counterpart.core.engine;

import java.util.Locale;

/** When a write of an engine's table reaches the store. */
public enum WriteMode {
  /** With the flush of its memtable, merged with others. */
  BUFFERED,
  /** Before it is acknowledged. Paper: MyCassandra §3.1. */
  DIRECT;

  /**
   * @param name as configurations have it
   * @throws IllegalArgumentException naming the legal ones
   */
  public static WriteMode named(String name) {
    for (WriteMode mode : values()) {
      if (mode.toString().equals(name)) {
        return mode;
      }
    }
    throw new IllegalArgumentException("'" + name + "' is neither buffered nor direct");
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
