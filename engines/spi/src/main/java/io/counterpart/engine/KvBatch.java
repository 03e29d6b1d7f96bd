package io.counterpart.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts and deletes that a store applies together, in their order. Not thread-safe. */
public final class KvBatch {

  private final List<Operation> operations = new ArrayList<>();
  private final boolean clears;
  private boolean shrinks;
  private long bytes;

  public KvBatch() {
    this(false);
  }

  private KvBatch(boolean clears) {
    this.clears = clears;
  }

  /** A batch that removes every entry before its first operation. */
  public static KvBatch clearing() {
    return new KvBatch(true);
  }

  /** A put, or a delete if the value is null. Owns its arrays. */
  public static final class Operation {
    private final byte[] key;
    private final byte @Nullable [] value;

    private Operation(byte[] key, byte @Nullable [] value) {
      this.key = key;
      this.value = value;
    }

    public byte[] key() {
      return key;
    }

    /** Null for a delete. */
    public byte @Nullable [] value() {
      return value;
    }
  }

  /**
   * @throws IllegalArgumentException if the key is empty or too long
   */
  public KvBatch put(byte[] key, byte[] value) {
    return add(key, value);
  }

  /** Removes a key; absent is fine. */
  public KvBatch delete(byte[] key) {
    return add(key, null);
  }

  private KvBatch add(byte[] key, byte @Nullable [] value) {
    if (key.length == 0 || key.length > KvStore.MOST_KEY_BYTES) {
      throw new IllegalArgumentException(
          "a key of " + key.length + " bytes, not 1.." + KvStore.MOST_KEY_BYTES);
    }
    operations.add(new Operation(key, value));
    bytes += key.length + (value == null ? 0L : value.length);
    return this;
  }

  /**
   * Says that the batch takes no memory: no value is longer than the one that it replaces. A store
   * that is full lets it through.
   */
  public KvBatch shrinking() {
    shrinks = true;
    return this;
  }

  /** Whether the batch takes no memory. */
  public boolean shrinks() {
    return shrinks;
  }

  /** Whether the batch removes every older entry. */
  public boolean clears() {
    return clears;
  }

  public List<Operation> operations() {
    return Collections.unmodifiableList(operations);
  }

  /** Keys and values. */
  public long bytes() {
    return bytes;
  }

  public boolean isEmpty() {
    return operations.isEmpty() && !clears;
  }
}
