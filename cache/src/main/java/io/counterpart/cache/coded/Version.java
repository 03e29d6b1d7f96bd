package io.counterpart.cache.coded;

/**
 * An object as it is now.
 *
 * @param place where it is in the code
 * @param bytes the record's bytes
 * @param sequence of the write that made it
 */
record Version(Place place, byte[] bytes, long sequence) {
  /** The CAS token that clients see. */
  long cas() {
    return RecordBytes.cas(bytes);
  }
}
