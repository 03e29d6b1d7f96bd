package io.counterpart.lab.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The demonstration's outcome.
 *
 * @param arms figures by arm; none if Cassandra's part was left out
 * @param lost rows acknowledged but absent or older, all arms
 * @param wrong rows whose bytes match no version ever sent, all arms
 * @param config everything that repeats the run
 * @param unread rows that could not be read back: neither intact nor lost
 * @param checked values compared byte by byte
 * @param seconds wall time of the run
 * @param memoryTier the memory tier's part; null if it was left out
 */
public record DemoSummary(
    Map<String, ArmFigures> arms,
    long lost,
    long wrong,
    Map<String, Object> config,
    long unread,
    long checked,
    long seconds,
    @Nullable TierDemoSummary memoryTier) {
  /** Before any part. */
  public static final DemoSummary NONE = new DemoSummary(Map.of(), 0, 0, Map.of(), 0, 0, 0, null);

  /** The same with the memory tier's part; null for none. */
  public DemoSummary with(@Nullable TierDemoSummary part) {
    return new DemoSummary(arms, lost, wrong, config, unread, checked, seconds, part);
  }

  /** True if every row and every object was read back intact. */
  public boolean clean() {
    return lost == 0 && wrong == 0 && unread == 0 && (memoryTier == null || memoryTier.clean());
  }
}
