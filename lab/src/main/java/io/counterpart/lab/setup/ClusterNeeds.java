package io.counterpart.lab.setup;

import java.util.Locale;

/**
 * An experiment's requirements of a cluster, known before anything starts.
 *
 * @param nodes how many
 * @param replicationFactor the largest of any table
 * @param plugin whether any table or routing needs the plugin
 * @param dataBytes most bytes on the disks of all nodes together, with room for compaction; an
 *     estimate
 */
public record ClusterNeeds(int nodes, int replicationFactor, boolean plugin, long dataBytes) {
  private static final double GB = 1e9;
  private static final double MB = 1e6;

  /** For people: "about 12.3 GB on 5 nodes, 2.5 GB each, room for compaction included". */
  public String describeData() {
    return "about %s on %d nodes, %s each, room for compaction included"
        .formatted(text(dataBytes), nodes, text(dataBytes / (double) nodes));
  }

  private static String text(double bytes) {
    return bytes < GB
        ? String.format(Locale.ROOT, "%.0f MB", bytes / MB)
        : String.format(Locale.ROOT, "%.1f GB", bytes / GB);
  }
}
