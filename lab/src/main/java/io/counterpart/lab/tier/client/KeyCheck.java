package io.counterpart.lab.tier.client;

import java.nio.ByteBuffer;

/**
 * Checks that values belong to the requested keys, cheaply enough for a client under measurement.
 * All of their bytes are compared at the end of a run. Not thread-safe.
 */
public final class KeyCheck implements ReadAnswers {
  private long wrong;

  /** Values of other keys. */
  public long wrong() {
    return wrong;
  }

  @Override
  public void value(int key, ByteBuffer value) {
    // a value begins with its version and its key
    boolean own =
        value.remaining() >= Long.BYTES && value.getInt(value.position() + Integer.BYTES) == key;
    wrong += own ? 0 : 1;
  }

  // the client counts both as operations that failed

  @Override
  public void absent(int key) {}

  @Override
  public void failed(int key, String answer) {}
}
