package io.counterpart.lab.result;

import java.util.Map;

/**
 * The demonstration's outcome.
 *
 * @param arms figures by arm
 * @param lost rows acknowledged but absent or older, all arms
 * @param wrong rows whose bytes match no version ever sent, all arms
 * @param config everything that repeats the run
 * @param unread rows that could not be read back: neither intact nor lost
 * @param checked values compared byte by byte
 * @param seconds wall time of the run
 */
public record DemoSummary(
    Map<String, ArmFigures> arms,
    long lost,
    long wrong,
    Map<String, Object> config,
    long unread,
    long checked,
    long seconds) {
  /** True if every row was read back intact. */
  public boolean clean() {
    return lost == 0 && wrong == 0 && unread == 0;
  }
}
