package io.counterpart.core.ring.change;

/**
 * The cost of a change for one node and one table, in bytes.
 *
 * @param before bytes that the node keeps now
 * @param after bytes that it keeps after streaming and cleanup
 * @param in bytes that it receives
 * @param out bytes that it sends
 * @param promoted bytes of redundant copies that become primary ones in unchanged files
 * @param demoted the reverse
 * @param rewritten bytes of files that span several groups afterwards, and so are cut again
 * @param foreign bytes that it no longer owns, until {@code nodetool cleanup}
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
