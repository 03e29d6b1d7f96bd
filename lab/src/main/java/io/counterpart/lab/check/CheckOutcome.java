package io.counterpart.lab.check;

import java.util.List;

/**
 * The sum of verdicts of a read-back.
 *
 * @param checked rows judged
 * @param lost rows acknowledged but absent or older
 * @param wrong rows whose bytes match no version ever sent
 * @param unread rows that could not be read after retries; not judged, and never to be reported as
 *     intact
 * @param examples the first few failures, for people
 */
public record CheckOutcome(
    long checked, long lost, long wrong, long unread, List<String> examples) {
  /** Copies the examples. */
  public CheckOutcome {
    examples = List.copyOf(examples);
  }

  /** True if every row was read and intact. */
  public boolean clean() {
    return lost == 0 && wrong == 0 && unread == 0;
  }
}
