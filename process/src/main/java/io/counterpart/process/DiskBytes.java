package io.counterpart.process;

/**
 * Bytes that a process has moved to and from the disk since its start, without hits of the page
 * cache.
 *
 * @param read bytes fetched
 * @param written bytes handed over, some of which may still be on their way
 */
public record DiskBytes(long read, long written) {
  /** Of a process that does not run, or that the system does not let us look at. */
  public static final DiskBytes NONE = new DiskBytes(0, 0);

  /** Those of two processes. */
  public DiskBytes plus(DiskBytes other) {
    return new DiskBytes(read + other.read, written + other.written);
  }
}
