package io.counterpart.cache.coded.server;

/** Hears of the tier's marks that were written on servers in use. */
interface MarkWatcher {
  /** A server that was without its mark has it again: its items may be gone. */
  void emptied(ServerLink link);

  /** A mark says now that its server is whole. */
  default void whole(ServerLink link) {}
}
