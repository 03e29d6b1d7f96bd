package io.counterpart.core.plan;

/**
 * Range groups of a node.
 *
 * @param primary groups that the node leads, within the planned data directory
 * @param redundant groups of which the node keeps redundant copies, within that directory
 * @param owned groups of both kinds, of all directories; ≥ primary + redundant
 */
public record GroupCounts(int primary, int redundant, int owned) {
  public GroupCounts {
    if (primary < 0 || redundant < 0 || owned < Math.max(primary, redundant)) {
      throw new IllegalArgumentException(
          "groups %d primary, %d redundant, %d owned, legal: 0 and above, not more than owned"
              .formatted(primary, redundant, owned));
    }
  }

  /** Groups of both kinds in the directory. */
  int here() {
    return primary + redundant;
  }
}
