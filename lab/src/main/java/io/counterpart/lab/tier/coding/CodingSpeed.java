package io.counterpart.lab.tier.coding;

import io.counterpart.cache.coding.CodeShape;
import java.io.IOException;
import java.time.Duration;

/** Measures encoding by a coder for a fixed time. */
interface CodingSpeed {
  /** Size of a chunk, as in the paper. */
  long CHUNK_BYTES = 4096;

  /** Stripes in memory that are encoded over and over: 1.3 MiB with a (5,3) code. */
  int STRIPES = 64;

  /** Name of the arm. */
  String name();

  /**
   * Encodes for about the given time.
   *
   * @param stripesInCall stripes of a call, chunk behind chunk, a divisor of {@link #STRIPES}
   * @throws IOException if it cannot
   */
  Encoded encode(CodeShape code, int stripesInCall, Duration time) throws IOException;

  /**
   * The work of a measurement.
   *
   * @param stripes encoded
   * @param nanos duration
   */
  record Encoded(long stripes, long nanos) {}
}
