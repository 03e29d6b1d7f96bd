package io.counterpart.cache.coded;

/**
 * How long one write puts up with servers that have no memory for its items: two seconds from the
 * first refusal. A write that waits here for a journal has left its stripe. Otherwise folding,
 * which frees the journals' memory, would wait for the write. Belongs to the shard's event loop.
 */
final class MemoryPatience {
  private boolean isRefused;
  private long sinceNanos;

  /**
   * Continues once a server may have memory.
   *
   * @param again tries again
   * @param giveUp runs instead if the patience has ended
   */
  void await(ServerMemory memory, Runnable again, Runnable giveUp) {
    if (!isRefused) {
      isRefused = true;
      sinceNanos = System.nanoTime();
    }
    memory.refused(again, giveUp, sinceNanos);
  }
}
