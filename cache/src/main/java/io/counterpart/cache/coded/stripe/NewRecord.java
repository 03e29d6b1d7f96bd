package io.counterpart.cache.coded.stripe;

import io.counterpart.cache.format.RecordFormat;
import io.counterpart.cache.format.StoredRecord;
import io.counterpart.cache.index.SlotClasses;
import io.counterpart.cache.protocol.Key;

/**
 * A record before its write: complete except for its sequence.
 *
 * @param key of the object
 * @param write the rest; its value stays valid until the write ends
 * @param format encodes the record
 */
public record NewRecord(Key key, RecordChange.Write write, RecordFormat format) {
  /** The class of its slot. */
  public int slotClass() {
    return SlotClasses.ofValue(write.value().readableBytes());
  }

  /** Length of the record in bytes. */
  public int recordBytes() {
    return SlotClasses.RECORD_HEADER_BYTES + write.value().readableBytes();
  }

  public byte[] encode(long sequence) {
    long cas = write.cas() == RecordChange.Write.NEW_CAS ? sequence : write.cas();
    return format.encode(
        key.bytes(),
        new StoredRecord(
            write.flags(), write.expirySeconds(), write.marks(), sequence, cas, write.value()));
  }
}
