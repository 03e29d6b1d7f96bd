package io.counterpart.process;

/**
 * What a process moved to and from the disk since it started; what the page cache answered is not
 * in it.
 *
 * @param read bytes fetched
 * @param written bytes handed over, some of which may still be on their way
 */
public record DiskBytes(long read, long written) {
  /** Of a process that does not run, or that the system does not let us look at. */
  public static final DiskBytes NONE = new DiskBytes(0, 0);
}
