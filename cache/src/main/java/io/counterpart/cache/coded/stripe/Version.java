package io.counterpart.cache.coded.stripe;

/**
 * The present version of an object.
 *
 * @param place the object's place in the code
 * @param bytes the record's bytes
 * @param sequence sequence of the write that made it
 */
public record Version(Place place, byte[] bytes, long sequence) {
  /** The CAS token that clients see. */
  public long cas() {
    return RecordBytes.cas(bytes);
  }
}
