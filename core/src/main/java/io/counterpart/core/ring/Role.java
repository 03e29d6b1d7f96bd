package io.counterpart.core.ring;

/**
 * The kind of copies that an sstable holds for this node. A role is derived from the sstable's
 * content and the ring and never stored, so it stays right after streaming, restarts and ring
 * changes.
 *
 * <p>Paper: DEPART §4.2 (primary and redundant copies), §4.3 (segment, sorted run).
 */
public enum Role {
  /** Primary copies of one group of arcs: part of the primary LSM-tree. */
  PRIMARY,
  /** Primary copies of several groups, as a flush leaves them: waits to be cut at the arcs. */
  WIDE_PRIMARY,
  /** Redundant copies of several groups: a segment of the global log. */
  SEGMENT,
  /** Redundant copies of one group: a sorted run of a local log. */
  RUN,
  /** Primary and redundant copies together (after a ring change or an ALTER): needs a split. */
  MIXED,
  /** Nothing that this node still owns: left for {@code nodetool cleanup}. */
  FOREIGN
}
