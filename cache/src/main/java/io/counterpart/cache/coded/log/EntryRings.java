package io.counterpart.cache.coded.log;

/**
 * The rings that have a copy of a journal entry, or may get one, a bit each. No two copies are in
 * one ring, and none is in a ring of a copy that could not be stored anywhere. So n − k + 1 copies,
 * less those that could not be stored, outlive the loss of any n − k rings, as each of the latter
 * has lost a ring of its own already.
 *
 * <p>Each copy is on its way to one ring, and to further ones if that is late. Belongs to the
 * shard's event loop.
 */
final class EntryRings {
  private long taken;

  /**
   * @param chosen a ring for each copy
   */
  EntryRings(long chosen) {
    this.taken = chosen;
  }

  /** The rings that no further copy may go to. */
  long taken() {
    return taken;
  }

  /** A copy goes to this ring too. */
  void take(long ring) {
    taken |= ring;
  }

  /**
   * A copy is stored in one ring. What went to the others is deleted, so they may take another copy
   * that is late.
   *
   * @param sentTo all rings that the copy went to
   * @param stored the one that counts
   */
  void stored(long sentTo, long stored) {
    taken = taken & ~sentTo | stored;
  }

  /**
   * A copy could not be stored anywhere. The rings stay taken: one of them has lost a server, and a
   * copy on another of its servers could be lost with the rest of the ring.
   *
   * @param sentTo all rings that the copy went to
   */
  void failed(long sentTo) {
    taken |= sentTo;
  }
}
