package io.counterpart.cluster;

/** The state of a node's process. */
public enum NodeState {
  /** It runs; whether it serves is another question. */
  RUNNING,
  /** It stands still, as by SIGSTOP: its ports are held, and it answers nobody. */
  PAUSED,
  /** It was asked to end, or never started. */
  STOPPED,
  /** It ended unasked, or was killed. */
  DEAD
}
