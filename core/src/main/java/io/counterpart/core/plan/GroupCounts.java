package io.counterpart.core.plan;

/**
 * Range groups of a node.
 *
 * @param primary that it leads, within the data directory that is planned for
 * @param redundant of which it keeps redundant copies, within that directory
 * @param owned of both kinds, of all directories; ≥ primary + redundant
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
