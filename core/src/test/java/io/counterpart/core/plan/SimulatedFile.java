package io.counterpart.core.plan;

import io.counterpart.core.ring.Role;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * A file of a simulated table.
 *
 * @param group where it is aligned, else -1
 * @param share of the node's tokens that it spans, above 0 to 1
 * @param bytesByHour bytes written to it, by the hour of the write
 */
record SimulatedFile(
    Role role, int group, double share, long createdMillis, Map<Long, Double> bytesByHour) {

  double bytes() {
    return bytesByHour.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** What is left of the bytes of several files after the hour. */
  static Map<Long, Double> contentAfter(long hour, Collection<SimulatedFile> files) {
    Map<Long, Double> content = new TreeMap<>();
    for (SimulatedFile file : files) {
      file.bytesByHour.forEach(
          (written, bytes) -> {
            if (written > hour) {
              content.merge(written, bytes, Double::sum);
            }
          });
    }
    return content;
  }

  static Map<Long, Double> part(Map<Long, Double> content, double share) {
    Map<Long, Double> part = new TreeMap<>();
    content.forEach((hour, bytes) -> part.put(hour, bytes * share));
    return part;
  }

  double expiredShare(long hour) {
    double expired =
        bytesByHour.entrySet().stream()
            .filter(entry -> entry.getKey() <= hour)
            .mapToDouble(Map.Entry::getValue)
            .sum();
    return Math.min(1, expired / bytes());
  }

  boolean isExpired(long hour) {
    return bytesByHour.keySet().stream().allMatch(written -> written <= hour);
  }
}
