package io.counterpart.cache.coded.stripe;

import io.counterpart.cache.format.StoredRecord;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Decides the new state of an object from its present one. Called once for each operation. */
@FunctionalInterface
public interface RecordChange {
  /**
   * Decides.
   *
   * @param old the object, valid during the call only; null if there is none
   * @param nowSeconds since 1970
   */
  Decision decide(@Nullable StoredRecord old, long nowSeconds);

  /** A decision. */
  sealed interface Decision {}

  /** No change. */
  record Keep() implements Decision {}

  /** Deletion of the object. */
  record Remove() implements Decision {}

  /**
   * A new state of the object.
   *
   * @param marks of {@link StoredRecord}
   * @param cas its CAS token, if that stays; {@link #NEW_CAS} for a new one
   * @param value its bytes, valid until the decision is carried out; not released
   */
  record Write(int flags, int expirySeconds, int marks, long cas, ByteBuf value)
      implements Decision {
    /** Requests a new CAS token: the sequence of the write, which is never 0. */
    public static final long NEW_CAS = 0;

    /** A write that gives the object a new CAS token. */
    public Write(int flags, int expirySeconds, int marks, ByteBuf value) {
      this(flags, expirySeconds, marks, NEW_CAS, value);
    }
  }
}
