package io.counterpart.lab.setup;

import java.util.Locale;

/**
 * What a cluster must offer, known before anything starts.
 *
 * @param nodes how many
 * @param replicationFactor the largest of any table
 * @param plugin whether any table needs the plugin
 * @param dataBytes most bytes on the disks of all nodes together, with room for compaction; an
 *     estimate
 */
public record ClusterNeeds(int nodes, int replicationFactor, boolean plugin, long dataBytes) {
  private static final double GB = 1e9;

  /** For people: "about 12.3 GB on 5 nodes, 2.5 GB each, room for compaction included". */
  public String describeData() {
    return String.format(
        Locale.ROOT,
        "about %.1f GB on %d nodes, %.1f GB each, room for compaction included",
        dataBytes / GB,
        nodes,
        dataBytes / GB / nodes);
  }
}
