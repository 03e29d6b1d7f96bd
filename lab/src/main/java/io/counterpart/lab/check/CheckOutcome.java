package io.counterpart.lab.check;

import java.util.List;
import java.util.stream.Stream;

/**
 * The sum of verdicts of a read-back.
 *
 * @param checked rows judged
 * @param lost rows acknowledged but absent or older, and stale reads where W + R > N
 * @param wrong rows whose bytes match no version ever sent
 * @param unread rows that could not be read after retries; not judged, and never to be reported as
 *     intact
 * @param examples the first few failures, for people
 */
public record CheckOutcome(
    long checked, long lost, long wrong, long unread, List<String> examples) {
  /** Nothing judged yet. */
  public static final CheckOutcome NONE = new CheckOutcome(0, 0, 0, 0, List.of());

  /** Copies the examples. */
  public CheckOutcome {
    examples = List.copyOf(examples);
  }

  /** Both together. */
  public CheckOutcome plus(CheckOutcome other) {
    return new CheckOutcome(
        checked + other.checked,
        lost + other.lost,
        wrong + other.wrong,
        unread + other.unread,
        Stream.concat(examples.stream(), other.examples.stream()).toList());
  }

  /** The same with wrong values that were met elsewhere than in the read-back. */
  public CheckOutcome plusWrong(long more) {
    return new CheckOutcome(checked, lost, wrong + more, unread, examples);
  }

  /** True if every row was read and intact. */
  public boolean clean() {
    return lost == 0 && wrong == 0 && unread == 0;
  }
}
