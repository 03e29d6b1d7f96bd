package io.counterpart.cache.coded;

import io.counterpart.cache.index.StripeState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stripes whose journal entries may be incomplete on every remaining server. This happens when
 * servers and the proxy fail together during a change of servers, because entries lie where the
 * parity was to be when they were written. Such a stripe's parity is dropped and encoded again from
 * its data, which are complete as long as no more servers fail than the code tolerates. Outside a
 * change of servers, lost entries and the parity that lacks them were on the same servers, and
 * whatever a restored server has received since is complete. Belongs to the shard's event loop.
 */
final class LostJournals {
  private static final int STRIPES_AT_ONCE = 64;

  private final Shard shard;
  private final Set<ServerLink> lost;

  /**
   * @param lost servers that lost their items
   */
  LostJournals(Shard shard, Collection<ServerLink> lost) {
    this.shard = shard;
    this.lost = new HashSet<>(lost);
  }

  /** Whether an entry of a stripe may have been on lost servers only. */
  boolean mayHaveEntriesOf(int stripe) {
    if (!shard.placement().isChanging()) {
      return false;
    }
    for (int i = 0; i < shard.code().parityCount(); i++) {
      ServerLink server = shard.placement().parityServer(stripe, i);
      if (!lost.contains(server) && !isLost(shard.placement().oldParityServer(stripe, i))) {
        return false;
      }
    }
    return true;
  }

  private boolean isLost(@Nullable ServerLink server) {
    return server != null && lost.contains(server);
  }

  /**
   * Deletes the parity of these stripes, on partly restored servers too, because it would decode to
   * outdated content.
   */
  void dropParity(Runnable done) {
    List<Integer> stripes = new ArrayList<>();
    if (!lost.isEmpty()) {
      for (int stripe = 0; stripe < shard.stripes().end(); stripe++) {
        if (shard.stripes().state(stripe) == StripeState.SEALED && mayHaveEntriesOf(stripe)) {
          stripes.add(stripe);
        }
      }
    }
    InTurn.run(stripes, STRIPES_AT_ONCE, this::dropParity, done);
  }

  private void dropParity(int stripe, Runnable done) {
    int count = shard.code().parityCount();
    Countdown countdown = new Countdown(count, done);
    for (int i = 0; i < count; i++) {
      shard.items().deleteParity(stripe, i, countdown::oneLess);
    }
  }
}
