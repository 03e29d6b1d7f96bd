package io.counterpart.lab.tier.network;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Bytes in flight in one direction, with the time at which each piece is due. Not thread-safe. */
final class DelayLine {
  private static final double NANOS = 1e9;

  private final long delayNanos;
  private final long bytesPerSecond;
  private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
  private long lineFreeNanos = Long.MIN_VALUE;

  private record Piece(ByteBuffer bytes, long dueNanos) {}

  /**
   * @param delayNanos of each piece, at least 0
   * @param bytesPerSecond at which the line takes bytes; 0 for at once
   */
  DelayLine(long delayNanos, long bytesPerSecond) {
    this.delayNanos = delayNanos;
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Adds a piece that arrives now, behind the earlier ones. */
  void add(ByteBuffer bytes, long nowNanos) {
    long begins = Math.max(nowNanos, lineFreeNanos);
    lineFreeNanos =
        bytesPerSecond == 0 ? begins : begins + (long) (bytes.remaining() * NANOS / bytesPerSecond);
    pieces.add(new Piece(bytes, lineFreeNanos + delayNanos));
  }

  /** The first piece if it is due, to be read and then removed; else null. */
  @Nullable ByteBuffer due(long nowNanos) {
    Piece first = pieces.peek();
    return first == null || first.dueNanos() > nowNanos ? null : first.bytes();
  }

  void remove() {
    pieces.remove();
  }

  boolean isEmpty() {
    return pieces.isEmpty();
  }
}
