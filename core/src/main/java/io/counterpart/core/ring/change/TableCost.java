package io.counterpart.core.ring.change;

/**
 * The cost of a change for one node and one table, in bytes.
 *
 * @param before that it keeps now
 * @param after that it keeps once all is streamed and cleaned up
 * @param in that it receives
 * @param out that it sends
 * @param promoted redundant copies that become primary ones in files that stay as they are
 * @param demoted the reverse
 * @param rewritten of files that span several groups afterwards, so that they are cut again
 * @param foreign that it no longer owns, until {@code nodetool cleanup}
 */
public record TableCost(
    long before,
    long after,
    long in,
    long out,
    long promoted,
    long demoted,
    long rewritten,
    long foreign) {
  /** Nothing. */
  public static final TableCost NONE = new TableCost(0, 0, 0, 0, 0, 0, 0, 0);

  /** The costs of two tables or nodes together. */
  public TableCost plus(TableCost other) {
    return new TableCost(
        before + other.before,
        after + other.after,
        in + other.in,
        out + other.out,
        promoted + other.promoted,
        demoted + other.demoted,
        rewritten + other.rewritten,
        foreign + other.foreign);
  }
}
