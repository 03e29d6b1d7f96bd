package io.counterpart.core.recovery;

/** The role of a node's copy of a range. */
public enum CopyRole {
  /** The node is the range's first replica within its datacenter. */
  PRIMARY,
  /** Another node of the datacenter comes before it. */
  REDUNDANT
}
