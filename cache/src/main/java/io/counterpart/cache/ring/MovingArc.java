package io.counterpart.cache.ring;

/**
 * A part of a ring whose keys change their server: positions in {@code (start, end]}, unsigned. An
 * arc whose start is not below its end wraps around the ring's top; one whose bounds are equal is
 * the whole ring.
 *
 * @param start position just before the first one of the arc
 * @param end last position of the arc
 * @param from the keys' server before the change
 * @param to the keys' server after the change
 */
public record MovingArc(long start, long end, ServerId from, ServerId to) {

  /** Whether the position, a key's hash, lies in the arc. */
  public boolean contains(long position) {
    boolean afterStart = Long.compareUnsigned(position, start) > 0;
    boolean untilEnd = Long.compareUnsigned(position, end) <= 0;
    return Long.compareUnsigned(start, end) < 0 ? afterStart && untilEnd : afterStart || untilEnd;
  }
}
