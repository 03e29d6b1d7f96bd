package io.counterpart.lab.check;

/**
 * One write of a history, on the monotonic clock of all its operations.
 *
 * @param session that wrote; the only one that writes this key
 * @param version 1 and above, each one more than the key's write before
 * @param invokedNanos before the request was sent
 * @param ackedNanos after the answer came; {@link #NEVER} if it failed or timed out
 */
public record TimedWrite(int session, int key, long version, long invokedNanos, long ackedNanos) {
  /** The time of what did not happen. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Checks. */
  public TimedWrite {
    if (version < 1) {
      throw new IllegalArgumentException("version is %d, legal: 1 and above".formatted(version));
    }
  }

  boolean isAcked() {
    return ackedNanos != NEVER;
  }
}
