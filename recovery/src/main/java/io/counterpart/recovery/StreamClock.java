package io.counterpart.recovery;

/**
 * The time in which streams were in progress during other work: the time between two polls counts
 * if a stream is in progress at the second. Used by one thread.
 */
final class StreamClock {
  private final StorageCalls calls;
  private long lookedNanos = System.nanoTime();
  private long streamingNanos;

  /** Starts now. */
  StreamClock(StorageCalls calls) {
    this.calls = calls;
  }

  /** Looks at the streams under way. */
  StorageCalls.Streams look() {
    StorageCalls.Streams streams = calls.streams();
    long now = System.nanoTime();
    if (streams.count() > 0) {
      streamingNanos += now - lookedNanos;
    }
    lookedNanos = now;
    return streams;
  }

  long streamingNanos() {
    return streamingNanos;
  }
}
