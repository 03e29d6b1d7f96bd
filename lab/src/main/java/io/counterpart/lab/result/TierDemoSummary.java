package io.counterpart.lab.result;

/**
 * Outcome of the memory tier's demonstration.
 *
 * @param code as n,k in brackets
 * @param servers that it began with
 * @param objects written once
 * @param valueBytes of each object
 * @param killed servers that were killed at once, as many as the code tolerates
 * @param degradedReads objects that were decoded while these were away
 * @param restoredObjects that repair has brought back to them
 * @param added servers, as many as there are rings
 * @param movedObjects that went to these
 * @param checked values compared byte by byte: all with servers away, all at the end
 * @param lost objects acknowledged but absent
 * @param wrong objects whose bytes are others
 * @param unread objects that could not be read
 * @param seconds wall time of all
 */
public record TierDemoSummary(
    String code,
    int servers,
    int objects,
    int valueBytes,
    int killed,
    long degradedReads,
    long restoredObjects,
    int added,
    long movedObjects,
    long checked,
    long lost,
    long wrong,
    long unread,
    long seconds) {
  /** True if every object was read back intact, each time. */
  public boolean clean() {
    return lost == 0 && wrong == 0 && unread == 0;
  }
}
