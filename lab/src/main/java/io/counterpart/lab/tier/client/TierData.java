package io.counterpart.lab.tier.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.counterpart.lab.workload.ValueCodec;
import io.counterpart.lab.workload.VersionLedger;
import io.counterpart.lab.workload.value.ValueKind;
import java.nio.ByteBuffer;

/**
 * The objects of one tier: YCSB's keys, self-proving values, and the acknowledged version of each.
 * As thread-safe as the ledger.
 */
public final class TierData {
  /** Length of every key, as in the paper. */
  static final int KEY_BYTES = 20;

  private static final byte[] PREFIX = "user".getBytes(US_ASCII);
  private static final int TEN = 10;

  private final ValueCodec codec;
  private final VersionLedger ledger;
  private final int valueBytes;

  public TierData(TierShape shape, long seed) {
    codec = new ValueCodec(seed, shape.valueBytes(), ValueKind.RANDOM);
    ledger = new VersionLedger(shape.objects());
    valueBytes = shape.valueBytes();
  }

  public int objects() {
    return ledger.keys();
  }

  public int valueBytes() {
    return valueBytes;
  }

  public ValueCodec codec() {
    return codec;
  }

  public VersionLedger ledger() {
    return ledger;
  }

  /** A key's name. */
  public byte[] key(int key) {
    byte[] name = new byte[KEY_BYTES];
    writeKey(key, ByteBuffer.wrap(name));
    return name;
  }

  /** Appends a key's name. */
  static void writeKey(int key, ByteBuffer target) {
    target.put(PREFIX);
    int end = target.position() + KEY_BYTES - PREFIX.length;
    int left = key;
    for (int at = end - 1; at >= target.position(); at--) {
      target.put(at, (byte) ('0' + left % TEN));
      left /= TEN;
    }
    target.position(end);
  }
}
