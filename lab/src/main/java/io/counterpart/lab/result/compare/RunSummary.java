package io.counterpart.lab.result.compare;

import io.counterpart.lab.result.LabResult;

/**
 * One of the two runs as a whole.
 *
 * @param scale smoke, small or full
 * @param checked values compared byte by byte at the end
 * @param lost rows acknowledged but absent or older
 * @param wrong values that match no version ever sent
 * @param unread rows that could not be read back
 * @param seconds wall time
 */
public record RunSummary(
    String scale, long checked, long lost, long wrong, long unread, long seconds) {
  static RunSummary of(LabResult result) {
    return new RunSummary(
        result.scale(),
        result.checked(),
        result.lost(),
        result.wrong(),
        result.unread(),
        result.seconds());
  }
}
