package io.counterpart.cache.coded.repair;

import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.server.ServerLink;
import java.util.List;

/**
 * The way in which a stripe's lost items are restored: what is read for them. Belongs to the
 * shard's event loop. Paper: ECHash §4.5.
 */
public interface ObjectRepair {
  /**
   * Restores items of a sealed stripe; the caller is alone in it.
   *
   * @param lost objects that servers in use lack, perhaps none
   * @param parity numbers of the parity items that servers in use lack
   */
  void restore(int stripe, List<LostSlots> lost, int[] parity, Runnable done);

  /**
   * Objects of one chunk whose server has lost them.
   *
   * @param slots at least one
   */
  record LostSlots(int chunk, int[] slots) {}

  /** Why an item could not be restored. */
  enum Reason {
    /** Its server has no memory for it. */
    NO_MEMORY,
    /** It cannot be decoded while other servers are out of reach. */
    OTHERS_AWAY
  }

  /** Gets the items that could not be restored. */
  @FunctionalInterface
  interface Unrestored {
    /**
     * Called for each of them.
     *
     * @param stripe the item's
     * @param server the one that should have it
     */
    void unrestored(int stripe, ServerLink server, Reason why);
  }

  /** Makes the repair of a shard. */
  @FunctionalInterface
  interface Maker {
    ObjectRepair make(ShardServices services, Unrestored unrestored);
  }
}
