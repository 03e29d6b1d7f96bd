package io.counterpart.cache.coded.repair;

import io.counterpart.cache.coded.flow.Background;
import io.counterpart.cache.coded.flow.BoundedForEach;
import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.log.JournalItem;
import io.counterpart.cache.coded.log.MissingParity;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.index.StripeState;
import java.util.List;
import java.util.function.Consumer;

/**
 * Restores the parity items of {@link MissingParity}: encodes them from the data of their stripes,
 * retries once a second until the servers accept them, then releases the journal entries. A server
 * that lacks items which no journal protects is marked so until it has them: this process alone
 * knows what is missing, and the next one takes a server that is marked as whole for having it.
 * Belongs to the shard's event loop.
 */
public final class MissingParityRepair {
  private static final int LOOK_MILLIS = 1000;
  private static final int STRIPES_AT_ONCE = 16;

  private final Shard shard;
  private final StripeRepair repair;
  private final Background background;
  private final Consumer<ServerLink> lacking;
  private final Consumer<ServerLink> whole;

  /**
   * @param lacking marks a server in use as lacking items
   * @param whole marks one as whole, unless it lacks other items
   */
  public MissingParityRepair(
      ShardServices services,
      Background background,
      Consumer<ServerLink> lacking,
      Consumer<ServerLink> whole) {
    this.shard = services.shard();
    this.lacking = lacking;
    this.whole = whole;
    // objects are the task of the restoration, which goes on for as long as any is refused
    this.repair =
        new StripeRepair(services, new BatchedRepair(services, (stripe, server, why) -> {}));
    this.background = background;
  }

  /** Begins, when journals of an earlier process are about to go. */
  public void begin() {
    shard.missingParity().onUnprotected(lacking);
    lookLater();
  }

  private void lookLater() {
    background.after(LOOK_MILLIS, this::look);
  }

  private void look() {
    if (!shard.pending().hasUnjournalled()) {
      shard.missingParity().tellIfEmpty();
    }
    BoundedForEach.run(
        shard.missingParity().stripes(), STRIPES_AT_ONCE, this::repair, this::lookAtServers);
  }

  private void lookAtServers() {
    List<ServerLink> servers = shard.missingParity().unprotected();
    Countdown countdown = new Countdown(servers.size() + 1, this::lookLater);
    servers.forEach(server -> lookAt(server, countdown::oneLess));
    countdown.oneLess();
  }

  /** A server may have been out of reach when it should have been marked. */
  private void lookAt(ServerLink server, Runnable done) {
    long refusals = shard.missingParity().refusals();
    lacking.accept(server);
    ParityRepair.findUnprotected(
        shard,
        server,
        STRIPES_AT_ONCE,
        lacks -> {
          if (!lacks && shard.missingParity().refusals() == refusals) {
            shard.missingParity().isProtected(server);
            whole.accept(server);
          }
          done.run();
        });
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
    ParityRepair.findMissing(
        shard,
        stripe,
        servers.stream().filter(ServerLink::isUsable).toList(),
        missing -> {
          if (missing.length == 0 && servers.stream().noneMatch(ServerLink::isAway)) {
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
