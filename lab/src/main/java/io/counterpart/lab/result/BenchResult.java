package io.counterpart.lab.result;

import java.util.List;
import java.util.Map;

/**
 * A whole benchmark.
 *
 * @param figures figures of merit
 * @param arms medians over the rounds that an arm was in, by arm
 * @param lost rows acknowledged but absent or older, all arms and rounds
 * @param wrong rows whose bytes match no version ever sent, all arms and rounds
 * @param config everything that repeats the run
 * @param unread rows that could not be read back: neither intact nor lost
 * @param rounds every round's figures, by arm
 * @param seconds wall time of the run
 */
public record BenchResult(
    List<Figure> figures,
    Map<String, ArmFigures> arms,
    long lost,
    long wrong,
    Map<String, Object> config,
    long unread,
    List<Map<String, ArmFigures>> rounds,
    long seconds) {
  /** True if every row was read back intact. */
  public boolean clean() {
    return lost == 0 && wrong == 0 && unread == 0;
  }
}
