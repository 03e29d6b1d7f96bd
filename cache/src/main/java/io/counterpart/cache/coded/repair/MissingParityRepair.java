package io.counterpart.cache.coded.repair;

import io.counterpart.cache.coded.flow.Background;
import io.counterpart.cache.coded.flow.BoundedForEach;
import io.counterpart.cache.coded.log.JournalItem;
import io.counterpart.cache.coded.log.MissingParity;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.index.StripeState;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Restores the parity items of {@link MissingParity}: encodes them from the data of their stripes,
 * retries once a second until the servers accept them, then releases the journal entries. Belongs
 * to the shard's event loop.
 */
public final class MissingParityRepair {
  private static final int LOOK_MILLIS = 1000;
  private static final int STRIPES_AT_ONCE = 16;

  private final Shard shard;
  private final StripeRepair repair;
  private final Background background;

  public MissingParityRepair(ShardServices services, Background background) {
    this.shard = services.shard();
    // objects are the task of the restoration, which goes on for as long as any is refused
    ObjectRepair.Unrestored nobody = (stripe, server, why) -> {};
    this.repair = new StripeRepair(services, new BatchedRepair(services, nobody), nobody);
    this.background = background;
  }

  /** Begins, before journals of an earlier process go. */
  public void begin(MissingParity.Marks marks) {
    shard.missingParity().begin(marks);
    lookLater();
    markLater();
  }

  private void lookLater() {
    background.after(LOOK_MILLIS, this::look);
  }

  /** Beside the looks, which may take long. */
  private void markLater() {
    background.after(
        LOOK_MILLIS,
        () -> {
          shard.missingParity().mark();
          markLater();
        });
  }

  private void look() {
    if (!shard.pending().hasUnjournalled()) {
      shard.missingParity().tellIfReplayIsWhole();
    }
    Set<Integer> due = new LinkedHashSet<>(shard.missingParity().stripes());
    // open ones that a restart could not seal: an earlier process's journals are kept for them
    due.addAll(shard.pending().unjournalledStripes());
    BoundedForEach.run(due, STRIPES_AT_ONCE, this::repair, this::lookLater);
  }

  private void repair(int stripe, Runnable done) {
    if (shard.stripes().state(stripe) == StripeState.FREE) {
      release(stripe);
      done.run();
      return;
    }
    List<ServerLink> servers = shard.placement().parityServers(stripe);
    repair.begin(
        stripe,
        servers,
        () -> shard.gates().enterAlone(stripe, () -> releaseIfThere(stripe, servers, done)));
  }

  /** Releases a stripe whose items are all there; the caller is alone in it, so they stay. */
  private void releaseIfThere(int stripe, List<ServerLink> servers, Runnable done) {
    if (shard.stripes().state(stripe) != StripeState.SEALED) {
      release(stripe);
      shard.gates().leave(stripe);
      done.run();
      return;
    }
    List<ServerLink> asked = servers.stream().filter(ServerLink::isUsable).toList();
    ParityRepair.findMissing(
        shard,
        stripe,
        asked,
        missing -> {
          shard
              .missingParity()
              .lack(stripe, Arrays.stream(missing).mapToObj(servers::get).toList());
          // one that is back meanwhile was not asked
          if (missing.length == 0
              && servers.stream()
                  .allMatch(link -> !link.isAway() && (asked.contains(link) || link.isStale()))) {
            release(stripe);
          }
          shard.gates().leave(stripe);
          done.run();
        });
  }

  /** Releases the journal items as after folding: once the stripe's metadata are durable. */
  private void release(int stripe) {
    List<JournalItem> held = shard.missingParity().remove(stripe);
    shard.metadata().whenDurable(() -> shard.journal().release(held));
  }
}
