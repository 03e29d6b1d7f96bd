package io.counterpart.cache.store;

import io.counterpart.cache.format.StoredRecord;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.Status;
import org.jspecify.annotations.Nullable;

/**
 * The present state of an object, as a change finds it.
 *
 * @param status {@link Status#DONE} if the present state is known, else the reason why not
 * @param record the present object, valid until the release; null if there is none
 * @param found the copy in memory; null if there is none
 */
record Current(Status status, @Nullable StoredRecord record, GetOutcome.@Nullable Found found) {
  /** For a change that does not depend on the present state. */
  static final Current UNASKED = new Current(Status.DONE, null, null);

  /** Whether the read took the right to recompute the object from clients. */
  boolean tookToken() {
    return found != null && found.item().won();
  }

  boolean isInMemory() {
    return found != null;
  }

  /** Releases the copy; called once. */
  void release() {
    if (found != null) {
      found.value().release();
    }
  }
}
