package io.counterpart.lab.workload.value;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;

/** The content of values, which decides how well they compress. Thread-safe. */
public enum ValueKind {
  /** A SplitMix64 stream: does not compress, so bytes on disk are bytes written. */
  RANDOM {
    @Override
    public void fill(ByteBuffer value, long state) {
      long word = state;
      while (value.remaining() >= Long.BYTES) {
        word += Mix.GOLDEN;
        value.putLong(Mix.mix(word));
      }
    }
  },
  /**
   * Records with names of fields, numbers, enumerations and text from a fixed vocabulary. In chunks
   * of 16 KiB LZ4 leaves 0.43 of them, Zstd 0.29 (level 3).
   */
  JSON {
    @Override
    public void fill(ByteBuffer value, long state) {
      new JsonText(new SeededText(value, state)).fill();
    }
  },
  /** Sentences from a fixed vocabulary. */
  TEXT {
    @Override
    public void fill(ByteBuffer value, long state) {
      SeededText text = new SeededText(value, state);
      while (!text.isFull()) {
        text.sentence();
      }
    }
  };

  /**
   * Fills the rest of a value; the same bytes for the same state and length.
   *
   * @param value with a multiple of 8 bytes left
   * @param state of the stream
   */
  public abstract void fill(ByteBuffer value, long state);

  /** The name in options and result files. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The kind of that name.
   *
   * @throws IllegalArgumentException with the legal names
   */
  public static ValueKind of(String text) {
    for (ValueKind kind : values()) {
      if (kind.text().equals(text)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "value kind %s: must be one of %s"
            .formatted(text, Arrays.stream(values()).map(ValueKind::text).toList()));
  }
}
