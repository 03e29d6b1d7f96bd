package io.counterpart.lab.check;

import io.counterpart.lab.workload.ValueCodec;
import io.counterpart.lab.workload.VersionLedger;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalInt;

/** Judges one row. Thread-safe. */
public final class RowCheck {
  /** The verdict on one row. */
  public enum Verdict {
    /** An issued version, not older than the newest acknowledged one. */
    INTACT,
    /** Absent, and never acknowledged: there is nothing to compare. */
    NEVER_WRITTEN,
    /** Acknowledged, but absent or older than acknowledged. */
    LOST,
    /** Bytes that match no version ever sent. */
    WRONG
  }

  private final ValueCodec codec;
  private final VersionLedger ledger;

  /** A check against a ledger. */
  public RowCheck(ValueCodec codec, VersionLedger ledger) {
    this.codec = codec;
    this.ledger = ledger;
  }

  /** The verdict on what a read of the key returned. */
  public Verdict judge(int key, Optional<ByteBuffer> value) {
    int acknowledged = ledger.acknowledged(key);
    if (value.isEmpty()) {
      return acknowledged == 0 ? Verdict.NEVER_WRITTEN : Verdict.LOST;
    }
    OptionalInt version = codec.decode(key, value.get());
    if (version.isEmpty() || version.getAsInt() < 1 || version.getAsInt() > ledger.issued(key)) {
      return Verdict.WRONG;
    }
    return version.getAsInt() < acknowledged ? Verdict.LOST : Verdict.INTACT;
  }
}
