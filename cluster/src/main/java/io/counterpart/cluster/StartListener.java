package io.counterpart.cluster;

import java.time.Duration;

/** Listens to the progress of a start; called from the thread that starts the nodes. */
public interface StartListener {

  /** Hears nothing. */
  StartListener SILENT = new StartListener() {};

  /** The process of a node was created. */
  default void launched(int nodeIndex, long pid) {}

  /** The node is in the ring and serves CQL. */
  default void ready(int nodeIndex, Duration sinceLaunch) {}
}
